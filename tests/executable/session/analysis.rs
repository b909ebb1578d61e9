//! Several lines, several threads, and searches that are to find out the truth.

use super::{playing, score};
use kroo::game::{Game, Move, Position, Variant, Verdict};
use kroo::protocol::{Bound, Info, Reply, ScoreValue};
use support::client::{Client, Search};
use support::data::{SOLVED_MARGINS, lines};

/// The reported iterations, each with its lines.
fn iterations(search: &Search) -> Vec<&[Info]> {
    search.infos.chunk_by(|_, next| next.multipv != Some(1)).collect()
}

fn centiseeds(info: &Info) -> i32 {
    match score(info).value {
        ScoreValue::Cp(centiseeds) => centiseeds,
        ScoreValue::Mate(_) => panic!("the engine does not say this: {info}"),
    }
}

/// Checks that the lines of each iteration are numbered, distinct and in order, and that the first was played.
fn assert_lines(search: &Search, most: usize) {
    for lines in iterations(search) {
        let numbers: Vec<u32> = lines.iter().filter_map(|info| info.multipv).collect();
        assert!(numbers.iter().copied().eq(1..=lines.len() as u32) && lines.len() <= most, "{search:?}");
        assert!(lines.iter().all(|info| info.nodes == lines[0].nodes && info.depth <= lines[0].depth));
        let mut firsts: Vec<char> = lines.iter().map(|info| info.pv[0].letter()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), lines.len(), "{search:?}");
        let class = |info: &Info| match score(info).proven {
            Some(Verdict::Win) => 1,
            Some(Verdict::Loss) => -1,
            Some(Verdict::Draw) | None => 0,
        };
        // A stopped iteration has lines of the one before, which is not compared with it.
        for lines in lines.chunk_by(|one, next| one.depth == next.depth) {
            for one_class in [1, 0, -1] {
                let shown = lines.iter().filter(|info| class(info) == one_class).map(centiseeds);
                assert!(shown.is_sorted_by(|one, next| one >= next), "{search:?}");
            }
            let proven = lines.iter().filter(|info| score(info).proven.is_some()).map(class);
            assert!(proven.is_sorted_by(|one, next| one >= next), "{search:?}");
        }
    }
    let last = iterations(search).last().map(|lines| lines[0].pv[0]);
    assert_eq!(search.best, last, "{search:?}");
}

#[test]
fn a_stop_between_two_lines_is_answered_with_the_first() {
    for &variant in Variant::ALL {
        let mut client = playing(variant);
        client.set("MultiPV", "6");
        for depth in 2..9 {
            client.send("go infinite");
            let mut told = client.expect(&format!("info depth {depth} "));
            client.send("stop");
            told.extend(client.until("`bestmove`", |reply| matches!(reply, Reply::BestMove { .. })));
            assert_lines(&Search::of(told), 6);
        }
    }
}

/// The reports of a search, without times.
fn figures(search: &Search) -> Vec<String> {
    search.infos.iter().map(|info| Info { nps: None, time: None, ..info.clone() }.to_string()).collect()
}

/// Also where endgames are built on the way, which another search has built before.
#[test]
fn one_thread_counts_the_same_nodes_whatever_was_before() {
    for (variant, fen, limits) in [
        (Variant::Kalah, "0-2-0-1-3-0-1-0-2-2-1-0-20-16-S", "go depth 20 nodes 300000"),
        (Variant::Kalah, "3-2-0-1-3-0-1-4-2-2-1-2-15-12-S", "go nodes 300000"),
        (Variant::Awari, "1-0-2-1-0-1-0-2-1-0-0-1-20-19-S", "go nodes 150000"),
        (Variant::Awari, "2-1-2-1-0-1-0-2-1-1-0-2-18-17-S", "go nodes 150000"),
        (Variant::Ayoayo, "2-1-0-1-0-1-0-2-1-1-0-1-19-19-S", "go nodes 150000"),
        (Variant::Awari1978, "2-1-2-1-0-1-0-2-1-1-0-2-12-11-S", "go nodes 150000"),
    ] {
        let mut client = playing(variant);
        client.accepts(&format!("position fen {fen}"));
        let first = client.go(limits);
        assert!(first.last().tbhits > Some(0), "{variant}: no endgames in {first:?}");
        client.set("MultiPV", "3");
        client.go("go nodes 200000");
        client.set("MultiPV", "1");
        client.set("Threads", "2");
        client.go("go nodes 200000");
        client.set("Threads", "1");
        client.accepts("ucinewgame");
        client.accepts(&format!("position fen {fen}"));
        assert_eq!(figures(&client.go(limits)), figures(&first), "{variant} {fen}");
    }
}

/// The first position of the vectors with at least a number of seeds, and its margin.
fn middle_game(variant: Variant, seeds: u8) -> (String, i32) {
    let vectors = lines(SOLVED_MARGINS);
    let found = vectors.into_iter().find_map(|(_, words)| {
        let sum: u8 = words[1].split('-').take(12).filter_map(|field| field.parse::<u8>().ok()).sum();
        let fits = words[0] == variant.name() && sum >= seeds;
        fits.then(|| (words[1].to_owned(), words[2].parse().expect("a margin")))
    });
    found.expect("the vectors have one")
}

/// Whether a line says the exact result.
fn is_exact(reply: &Reply) -> bool {
    matches!(reply, Reply::Info(info) if score(info).proven.is_some() && score(info).bound == Bound::Exact)
}

#[test]
fn infinite_proves_a_middle_game_and_waits() {
    for (variant, seeds) in [(Variant::Kalah, 18), (Variant::Awari1978, 20)] {
        let (fen, margin) = middle_game(variant, seeds);
        let mut client = playing(variant);
        client.accepts(&format!("position fen {fen}"));
        client.send("go infinite");
        let mut told = client.until("a proven score", is_exact);
        // An iteration that has found the result may be followed by one more line, then by nothing.
        client.rests();
        told.extend(client.sync());
        client.stays_silent();
        client.send("stop");
        let answer = client.best_move();
        assert!(answer.infos.is_empty());
        let Some(Reply::Info(last)) = told.last() else { panic!("{told:?}") };
        assert_eq!(score(last).value, ScoreValue::Cp(100 * margin), "{variant} {fen}");
        assert_eq!(answer.best, last.pv.first().copied());
        // All lines are proven too, each by itself.
        client.set("MultiPV", "6");
        let search = client.go("go");
        assert_lines(&search, 6);
        let all = iterations(&search).pop().expect("lines");
        assert!(all.iter().all(|info| score(info).bound == Bound::Exact && score(info).proven.is_some()));
        assert_eq!(score(&all[0]).value, ScoreValue::Cp(100 * margin));
    }
}

#[test]
fn mate_ends_with_the_first_proven_win() {
    let (fen, margin) = middle_game(Variant::Kalah, 14);
    let mut client = playing(Variant::Kalah);
    client.accepts(&format!("position fen {fen}"));
    let search = client.go("go mate 60");
    let told = score(search.last());
    let expected = if margin > 0 {
        Verdict::Win
    } else if margin < 0 {
        Verdict::Loss
    } else {
        Verdict::Draw
    };
    assert_eq!(told.proven, Some(expected), "{search:?}");
    assert!(margin <= 0 || centiseeds(search.last()) <= 100 * margin, "{search:?}");
}

/// No line is extended beyond the depth that was asked for.
#[test]
fn mate_looks_no_further_than_so_many_moves() {
    for variant in [Variant::Awari, Variant::Oware] {
        let mut client = playing(variant);
        for moves in [4, 6, 8] {
            client.accepts("ucinewgame");
            client.accepts("position startpos moves Fa");
            let search = client.go(&format!("go mate {moves}"));
            let plies = Some(2 * moves);
            assert!(search.infos.iter().all(|info| info.seldepth <= plies), "{variant:?}: {search:?}");
            assert_eq!(search.last().depth, plies, "{variant:?}");
        }
    }
}

/// The score was -5407 in a game of 48 seeds.
#[test]
fn a_hopeless_position_is_lost_by_no_more_than_there_is() {
    let mut engine = Client::with_flags(&["--variant", "oware", "--multipv", "6", "--showwdl", "true"]);
    let line = "FbEbCcAdCeCfE";
    engine.send(&format!("position startpos moves {line}"));
    let mut game = Game::new(Position::start(Variant::Oware));
    line.chars().for_each(|letter| game.play(Move::from_letter(letter).expect("a move")).expect("legal"));
    let board = game.position().board();
    let (lead, left) = (100 * i32::from(board.lead()), 100 * i32::from(board.seeds()));
    for info in &engine.go("go nodes 200000").infos {
        let ScoreValue::Cp(cp) = score(info).value else { panic!("{info}") };
        assert!((lead - left..=lead + left).contains(&cp), "{info}");
    }
}
