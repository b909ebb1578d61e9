//! Whole sessions at random, checked against a slow model: rule sets, options, limits, positions and games in one process, where
//! each command meets what all earlier ones have left.
//!
//! `KROO_SESSIONS=N` plays N sessions. Each failure names its seed: `KROO_SEED=S` plays the session again, alone.

use kroo::game::{Cycle, Game, Position, Variant, Verdict, split_mix};
use kroo::protocol::{Bound, Info, InfoScore, ScoreValue};
use std::env;
use support::client::{Client, Search};
use support::games::{is_over, random_game};
use support::limit::{Limited, LimitedValue};

/// Sessions, and searches in each.
const SESSIONS: u64 = 6;
const SEARCHES: u64 = 25;

/// A session in progress.
struct Session {
    client: Client,
    random: u64,
    variant: Variant,
    multipv: usize,
    /// What has been sent, for a failure.
    sent: Vec<String>,
    proven: u32,
}

impl Session {
    fn new(seed: u64) -> Session {
        let (client, variant) = (Client::new(), Variant::Awari);
        Session { client, random: seed, variant, multipv: 1, sent: Vec::new(), proven: 0 }
    }

    fn below(&mut self, end: u64) -> u64 {
        split_mix(&mut self.random) % end
    }

    /// Sends a line that answers with remarks at most.
    fn send(&mut self, line: String) {
        let said = self.client.says(&line);
        self.sent.push(line);
        let is_error = |reply: &&kroo::protocol::Reply| reply.to_string().contains("string error");
        assert!(!said.iter().any(|reply| is_error(&reply)), "{said:?} after {:#?}", self.sent);
    }

    fn set(&mut self, name: &str, value: impl std::fmt::Display) {
        self.send(format!("setoption name {name} value {value}"));
    }

    fn change_options(&mut self) {
        match self.below(8) {
            0 | 1 => {
                self.variant = Variant::ALL[self.below(Variant::ALL.len() as u64) as usize];
                self.set("UCI_Variant", self.variant);
            }
            2 | 3 => {
                self.multipv = [1, 1, 2, 6][self.below(4) as usize];
                self.set("MultiPV", self.multipv);
            }
            4 => {
                let threads = 1 + self.below(2);
                self.set("Threads", threads);
            }
            5 => {
                let mebibytes = 1 + self.below(3);
                self.set("Hash", mebibytes);
            }
            6 => {
                let seeds = [0, 3, 48][self.below(3) as usize];
                self.set("EndgameSeeds", seeds);
            }
            _ => {
                let line = ["ucinewgame", "setoption name Clear Hash"][self.below(2) as usize];
                self.send(line.to_owned());
            }
        }
    }

    /// A position that the model can solve, and the plies that are left.
    fn position(&mut self) -> Option<(Game, u32)> {
        let can_cycle = self.variant.cycle() != Cycle::Impossible;
        if self.below(2) == 0 {
            let plies = self.below(90) as usize;
            let seed = split_mix(&mut self.random);
            let left = 1 + self.below(if can_cycle { 6 } else { 5 });
            return Some((random_game(self.variant, seed, plies), left as u32));
        }
        let seeds = 2 + self.below(3);
        let left = 1 + self.below(if self.variant == Variant::Oware { 9 } else { 40 });
        Some((self.small(seeds)?, left as u32))
    }

    /// A board with a few seeds in its pits, with stores that leave the result open.
    fn small(&mut self, seeds: u64) -> Option<Game> {
        let mut pits = [0; 12];
        (0..seeds).for_each(|_| pits[self.below(12) as usize] += 1);
        let rest = self.variant.seeds() as u64 - seeds;
        let south = (rest / 2 + self.below(5)).saturating_sub(2);
        let pits: Vec<String> = pits.iter().map(ToString::to_string).collect();
        let side = ["S", "N"][self.below(2) as usize];
        let text = format!("{}-{south}-{}-{side}", pits.join("-"), rest - south);
        Some(Game::new(Position::parse(self.variant, &text).ok()?))
    }

    fn limits(&mut self) -> String {
        match self.below(5) {
            0 => format!("go depth {}", 1 + self.below(12)),
            1 => format!("go movetime {}", 1 + self.below(30)),
            2 => format!("go wtime {0} btime {0} winc 5 binc 5", 20 + self.below(400)),
            3 => format!("go mate {} nodes 20000", 1 + self.below(9)),
            _ => format!("go nodes {}", 1 + self.below(20_000)),
        }
    }

    /// A search of a random position, and of those after a few of its answers.
    fn search(&mut self) {
        let Some((mut game, mut left)) = self.position().filter(|(game, _)| !is_over(game)) else { return };
        let limit = game.moves().len() + left as usize;
        self.set("MoveLimit", limit);
        for _ in 0..=self.below(4) {
            let moves: String = game.moves().iter().map(ToString::to_string).collect();
            let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
            self.send(format!("position fen {}{moves}", game.start()));
            let go = self.limits();
            let search = self.client.go(&go);
            self.sent.push(go);
            self.check(&game, left, &search);
            game.play(search.best.expect("a move")).expect("legal");
            left -= 1;
            if left == 0 || is_over(&game) {
                break;
            }
        }
    }

    /// Checks the blocks of lines, and the move.
    fn check(&mut self, game: &Game, left: u32, search: &Search) {
        let mut model = Limited::new(self.variant, game);
        let value = model.value(left);
        let sent = &self.sent;
        let context = |info: &Info| format!("{info}, but {value:?} with {left} plies left, after {sent:#?}");
        let mut proven = None;
        let infos = search.infos.iter().filter(|info| info.score.is_some());
        for info in infos {
            let (place, score) = (info.multipv.expect("a place"), info.score.expect("a score"));
            let first = place == 1;
            let truth = if first { value } else { model.value_after(info.pv[0], left) };
            assert!(place as usize <= self.multipv, "{}", context(info));
            self.proven += u32::from(score.proven.is_some());
            assert!(is_right(self.variant, score, truth), "{}", context(info));
            if first {
                assert!(proven.is_none() || proven == score.proven, "{proven:?} is gone: {}", context(info));
                proven = proven.or(score.proven);
            }
        }
        let last = search.infos.iter().rfind(|info| info.multipv == Some(1)).expect("a line");
        assert_eq!(last.pv.first().copied(), search.best, "{}", context(last));
        let (kept, _) = model.value_after(last.pv[0], left);
        let least = proven.unwrap_or(Verdict::Loss);
        assert!(kept >= least, "{proven:?} is given away: {}", context(last));
    }
}

/// Whether a proven score agrees with the verdict and the margin of the model. Where the winner is not the side with more seeds,
/// the least numbers may mean any margin.
fn is_right(variant: Variant, score: InfoScore, (truth, margin): LimitedValue) -> bool {
    let (Some(proven), ScoreValue::Cp(shown)) = (score.proven, score.value) else { return true };
    let told = shown / 100;
    let says_margin = told.abs() > 1 || !matches!(variant.rule_set(), Variant::Awari | Variant::Oware);
    let margin_fits = match score.bound {
        Bound::Exact => margin == told,
        Bound::Lower => margin >= told,
        Bound::Upper => margin <= told,
    };
    proven == truth && (truth == Verdict::Draw || !says_margin || margin_fits)
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().expect("a number"))
}

fn play(seed: u64) -> u32 {
    let mut session = Session::new(seed);
    for _ in 0..SEARCHES {
        session.change_options();
        session.search();
    }
    session.proven
}

#[test]
#[expect(clippy::print_stdout, reason = "a failed run names its seed")]
fn whole_sessions_agree_with_the_slow_model() {
    if let Some(seed) = number("KROO_SEED") {
        play(seed);
        return;
    }
    let first = number("PROPTEST_RNG_SEED").unwrap_or(1) << 20;
    let mut proven = 0;
    for seed in first..first + number("KROO_SESSIONS").unwrap_or(SESSIONS) {
        println!("KROO_SEED={seed}");
        proven += play(seed);
    }
    assert!(proven > 50, "{proven} proven lines");
}
