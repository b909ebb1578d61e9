//! The scripts that the broker runs (Lua): each is one step for all other clients.
//!
//! A script that does not end stops the broker, so only the coordinator may load any. It loads all of these; workers and viewers
//! run them by the hashes of their texts. The texts are fixed: names of keys are arguments.

use sha1::{Digest, Sha1};
use std::sync::LazyLock;

/// All scripts: their texts, and the hashes by which they are run.
static ALL: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let hashed = |script: &Script| {
        let text = script.text();
        let hash = Sha1::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        (text, hash)
    };
    SCRIPTS.iter().map(hashed).collect()
});

const SCRIPTS: [Script; 10] = [
    Script::Lock,
    Script::Unlock,
    Script::Deliver,
    Script::Batches,
    Script::Mend,
    Script::News,
    Script::Workers,
    Script::Renew,
    Script::GiveBack,
    Script::Piece,
];

/// A script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Lock,
    Unlock,
    Deliver,
    Batches,
    Mend,
    News,
    Workers,
    Renew,
    GiveBack,
    Piece,
}

impl Script {
    /// The texts of all scripts.
    pub fn texts() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(text, _)| text.as_str())
    }

    /// The hashes of all scripts.
    pub fn hashes() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(_, hash)| hash.as_str())
    }

    /// The hash of its text.
    pub fn hash(self) -> &'static str {
        &ALL[self as usize].1
    }

    fn text(self) -> String {
        let body = match self {
            Script::Lock => LOCK,
            Script::Unlock => UNLOCK,
            Script::Deliver => DELIVER,
            Script::Batches => BATCHES,
            Script::Mend => MEND,
            Script::News => NEWS,
            Script::Workers => WORKERS,
            Script::Renew => RENEW,
            Script::GiveBack => GIVE_BACK,
            Script::Piece => PIECE,
        };
        let read = if matches!(self, Script::Batches | Script::News) { READ } else { "" };
        format!("{ARGUMENTS}{read}{body}")
    }
}

/// The first argument is the number of keys, whose names follow. They are not declared as keys: a broker checks the rights to
/// each key at each command of the script, but would ask for the right to write every declared one.
const ARGUMENTS: &str = "\
local given, count = ARGV, tonumber(ARGV[1])
local KEYS, ARGV = {}, {}
for place = 2, #given do
  if place <= count + 1 then KEYS[#KEYS + 1] = given[place] else ARGV[#ARGV + 1] = given[place] end
end
";

const LOCK: &str = "\
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
if held then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return false end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false";

const UNLOCK: &str = "\
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return false";

/// The first result of a batch takes its place. One for another job, or a second one, is dropped.
const DELIVER: &str = "\
if redis.call('GET', KEYS[3]) ~= ARGV[3] .. ' running' then return 0 end
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('XDEL', KEYS[1], ARGV[2])
redis.call('XADD', KEYS[2], '*', 'job', ARGV[3], 'worker', ARGV[4], 'games', ARGV[5])
redis.call('INCR', KEYS[4])
return 1";

/// Reads a part of a stream: of an entry that is longer than `most` only its bytes, and nothing after a number of bytes in all.
const READ: &str = "\
local left = tonumber(ARGV[1])
local function read(key, after, most)
  local kept = {}
  for _, entry in ipairs(redis.call('XRANGE', key, '(' .. after, '+', 'COUNT', ARGV[2])) do
    if left <= 0 then break end
    local bytes = 0
    for _, text in ipairs(entry[2]) do bytes = bytes + #text end
    if bytes > most then entry[2] = bytes else left = left - bytes end
    kept[#kept + 1] = entry
  end
  return kept
end
";

/// A part of the batches.
const BATCHES: &str = "return read(KEYS[1], ARGV[3], tonumber(ARGV[4]))";

/// Removes batches that no worker has and none will be given: the group is beyond them, and they are not pending. Without a
/// group it has nothing to compare.
const MEND: &str = "\
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

/// Results and notes of several users, and the bell.
const NEWS: &str = "\
local bell, news = redis.call('GET', KEYS[1]) or '0', {}
for place = 5, #ARGV, 3 do
  local user = ARGV[place]
  news[#news + 1] = read(KEYS[2] .. user, ARGV[place + 1], tonumber(ARGV[3]))
  news[#news + 1] = read(KEYS[3] .. user, ARGV[place + 2], tonumber(ARGV[4]))
end
return {bell, news}";

/// The processes of several users, without those that say too much, up to a number of bytes in all.
const WORKERS: &str = "\
local found, long, left = {}, {}, tonumber(ARGV[3])
for place = 4, #ARGV do
  local user = ARGV[place]
  if redis.call('HLEN', KEYS[1] .. user) > tonumber(ARGV[1]) then
    long[#long + 1] = user
  else
    local all = redis.call('HGETALL', KEYS[1] .. user)
    for at = 1, #all, 2 do
      local bytes = #all[at] + #all[at + 1]
      if bytes <= tonumber(ARGV[2]) and bytes <= left then
        left = left - bytes
        found[#found + 1] = {user, all[at], all[at + 1]}
      end
    end
  end
end
return {redis.call('TIME')[1], found, long}";

/// A sign of life: the lease on each batch is renewed, unless another worker has taken it over, or the batches are gone because
/// the match is over.
const RENEW: &str = "\
local now = redis.call('TIME')
for place = 5, #ARGV do
  local held = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[place], ARGV[place], 1)
  if not held.err and held[1] and held[1][2] == ARGV[2] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[place], 'JUSTID')
  end
end
redis.pcall('HSET', KEYS[2], ARGV[2], now[1] .. ' ' .. ARGV[3])
return {redis.call('GET', KEYS[3]), redis.call('HGET', KEYS[4], ARGV[4]), redis.call('EXISTS', KEYS[5])}";

/// The lease on a batch ends at once, unless another worker has taken it over.
const GIVE_BACK: &str = "\
local held = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)
if held[1] and held[1][2] == ARGV[2] then
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'IDLE', 604800000, 'JUSTID')
end
return false";

/// A piece of an executable; its length if that is more than it should be.
const PIECE: &str = "\
local piece = redis.call('HGET', KEYS[1], ARGV[1])
if piece and #piece > tonumber(ARGV[2]) then return #piece end
return piece";
