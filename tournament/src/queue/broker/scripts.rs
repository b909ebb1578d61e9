//! The scripts that the broker runs (Lua): each is one step for all other clients.

/// Takes or renews the lock; otherwise returns the holder.
pub(super) const LOCK: &str = "\
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
if held then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return false end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false";

pub(super) const UNLOCK: &str = "\
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return false";

/// The first result of a batch takes its place. One for another job, or a second one, is dropped.
pub(super) const DELIVER: &str = "\
if redis.call('GET', KEYS[3]) ~= ARGV[3] .. ' running' then return 0 end
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('XDEL', KEYS[1], ARGV[2])
redis.call('XADD', KEYS[2], '*', 'job', ARGV[3], 'worker', ARGV[4], 'games', ARGV[5])
return 1";

/// Removes batches that no worker has and none will be given: the group is beyond them, and they are not pending. Without a
/// group it has nothing to compare.
pub(super) const MEND: &str = "\
local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
for _, fields in ipairs(groups.err and {} or groups) do
  local group = {}
  for at = 1, #fields, 2 do group[fields[at]] = fields[at + 1] end
  if group['name'] == ARGV[1] then
    for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', group['last-delivered-id'])) do
      if #redis.call('XPENDING', KEYS[1], ARGV[1], entry[1], entry[1], 1) == 0 then
        redis.call('XDEL', KEYS[1], entry[1])
      end
    end
  end
end
return false";

/// A sign of life: the lease on each batch is renewed, unless another worker has taken it over, or the batches are gone because
/// the match is over.
pub(super) const RENEW: &str = "\
local now = redis.call('TIME')
for place = 4, #ARGV do
  local held = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[place], ARGV[place], 1)
  if not held.err and held[1] and held[1][2] == ARGV[2] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[place], 'JUSTID')
  end
end
redis.pcall('HSET', KEYS[2], ARGV[2], now[1] .. ' ' .. ARGV[3])
return {redis.call('GET', KEYS[3]), redis.call('HGET', KEYS[4], ARGV[2]), redis.call('EXISTS', KEYS[5])}";

/// The lease on a batch ends at once, unless another worker has taken it over.
pub(super) const GIVE_BACK: &str = "\
local held = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)
if held[1] and held[1][2] == ARGV[2] then
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'IDLE', 604800000, 'JUSTID')
end
return false";
