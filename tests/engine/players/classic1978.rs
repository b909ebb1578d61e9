//! `classic1978`: the original's own games, and a model of it written from the text.

use super::{chosen, seated};
use kroo::game::{Game, Move, Position, Side, Variant, split_mix};
use kroo::players::{Player, Silent, Turn};
use kroo::roster::PlayerName;
use support::data::{LAPS_1978, lines, sessions_1978};
use support::games::{is_over, played, random_game};

#[test]
fn it_plays_every_move_of_the_original_and_learns_as_it_did() {
    let mut classic = seated(PlayerName::Classic1978, Variant::Awari1978, 1);
    let mut held = 0;
    for (before, moves, stores) in sessions_1978() {
        assert_eq!(held, before, "{moves}");
        for (index, letter) in moves.char_indices().filter(|(_, letter)| letter.is_lowercase()) {
            let game = played(Variant::Awari1978, &moves[..index]);
            assert_eq!(chosen(&mut *classic, &game).letter(), letter, "after {}", &moves[..index]);
        }
        let game = played(Variant::Awari1978, moves);
        let found = Side::BOTH.map(|side| game.position().store(side).to_string()).join("-");
        assert_eq!(found, stores, "{moves}");
        held += usize::from(classic.learn(&game, Side::North));
    }
}

/// The program as its text describes it, cell by cell. Cells 0 to 5 are South's pits, 6 its store, 7 to 13 North's.
#[derive(Default)]
struct Model {
    kept: [Vec<u64>; 2],
}

impl Model {
    /// The code of the first eight moves.
    fn code(pits: &[usize]) -> u64 {
        pits.iter().take(8).fold(0, |code, &pit| 6 * code + pit as u64)
    }

    fn cells(game: &Game) -> [usize; 14] {
        let text = game.position().to_string();
        let numbers: Vec<usize> =
            text.split('-').take(14).map(|word| word.parse().expect("a number")).collect();
        let mut cells = [0; 14];
        cells[..6].copy_from_slice(&numbers[..6]);
        cells[7..13].copy_from_slice(&numbers[6..12]);
        (cells[6], cells[13]) = (numbers[12], numbers[13]);
        cells
    }

    /// A move with its captures.
    fn made(mut cells: [usize; 14], side: usize, pit: usize) -> [usize; 14] {
        let (from, store) = (7 * side + pit, 7 * side + 6);
        let beans = std::mem::take(&mut cells[from]);
        (1..=beans).for_each(|step| cells[(from + step) % 14] += 1);
        let last = (from + beans) % 14;
        if last != 6 && last != 13 && cells[last] == 1 && cells[12 - last] > 0 {
            cells[store] += 1 + std::mem::take(&mut cells[12 - last]);
            cells[last] = 0;
        }
        cells
    }

    fn value(&self, cells: [usize; 14], side: usize, pit: usize) -> i64 {
        let after = Model::made(cells, side, pit);
        // Seen from the other side's left.
        let cell = |index: usize| after[(index + 7 * (1 - side)) % 14] as i64;
        let mut reply = 0;
        for pit in (0..6).filter(|&pit| cell(pit) > 0) {
            let mut last = pit as i64 + cell(pit);
            let mut taken = 0;
            while last > 13 {
                last -= 14;
                taken = 1;
            }
            if last != 6 && last != 13 && cell(last as usize) == 0 {
                taken += cell(12 - last as usize);
            }
            reply = reply.max(taken);
        }
        cell(13) - cell(6) - reply
    }

    /// The penalty of a move by kept games: the quotient and a tenth, over a common denominator.
    fn penalty(&self, side: usize, before: &[usize], pit: usize) -> i64 {
        let number = before.len() as u32 + 1;
        if number > 9 {
            return 0;
        }
        let wanted = Model::code(before) * 6 + pit as u64;
        let denominator = 10 * 6_u64.pow(8);
        let alike = |&code: &u64| (10 * code * 6_u64.pow(number) + 6_u64.pow(8)) / denominator == wanted;
        2 * self.kept[side].iter().filter(|code| alike(code)).count() as i64
    }

    /// The pit to play, and its value.
    fn choice(&self, game: &Game) -> (usize, i64) {
        let side = game.position().side().index();
        let cells = Model::cells(game);
        let before: Vec<usize> = game.moves().iter().map(|mv| mv.pit.index()).collect();
        let from_start = game.start().to_string().starts_with("3-3-3-3-3-3-3-3-3-3-3-3-0-0-");
        let mut best = (6, i64::MIN);
        for pit in (0..6).filter(|&pit| cells[7 * side + pit] > 0) {
            let penalty = if from_start { self.penalty(side, &before, pit) } else { 0 };
            let value = self.value(cells, side, pit) - penalty;
            if value >= best.1 {
                best = (pit, value);
            }
        }
        best
    }
}

#[test]
fn it_chooses_as_a_model_of_the_text_does_on_thousands_of_positions() {
    let mut classic = seated(PlayerName::Classic1978, Variant::Awari1978, 1);
    let model = Model::default();
    let mut compared = 0;
    for seed in 0..4000 {
        let game = random_game(Variant::Awari1978, seed, (seed % 40) as usize);
        if !is_over(&game) {
            compared += 1;
            assert_same(&mut *classic, &model, &game);
        }
    }
    assert!(compared > 2500, "{compared}");
    // Kroos are rare in play: pits of 12 and more, as in a set-up.
    for text in lines(LAPS_1978).map(|(_, words)| words[0]) {
        let fields: Vec<&str> = text.split('-').collect();
        let seeds: usize = fields[..12].iter().map(|word| word.parse::<usize>().expect("a number")).sum();
        if seeds <= 36 {
            let fen = format!("{}-{}-0-{}", fields[..12].join("-"), 36 - seeds, fields[14]);
            let game = Game::new(Position::parse(Variant::Awari1978, &fen).expect("a position"));
            if !is_over(&game) {
                assert_same(&mut *classic, &model, &game);
            }
        }
    }
}

fn assert_same(classic: &mut dyn Player, model: &Model, game: &Game) -> Move {
    let report = classic.choose(&Turn::new(game), &mut Silent);
    let (pit, value) = model.choice(game);
    let found = (report.pv[0].pit.index(), i64::from(report.score.value.centiseeds()) / 100);
    assert_eq!(found, (pit, value.clamp(-100, 100)), "{:?} {}", game.moves(), game.position());
    report.pv[0]
}

#[test]
fn it_learns_as_the_model_does_from_hundreds_of_games() {
    let mut classic = seated(PlayerName::Classic1978, Variant::Awari1978, 1);
    let mut model = Model::default();
    let mut state = 7;
    let mut penalised = 0;
    for number in 0..500 {
        // Few openings, so that beginnings recur; and some starts that do not count.
        let mut game = Game::new(Position::start(Variant::Awari1978));
        let counts = number % 10 != 9;
        if !counts {
            let fen = "3-3-3-3-3-4-3-3-3-3-3-2-0-0-S";
            game = Game::new(Position::parse(Variant::Awari1978, fen).expect("a position"));
        }
        while !is_over(&game) {
            assert_same(&mut *classic, &model, &game);
            let side = game.position().side().index();
            let before: Vec<usize> = game.moves().iter().map(|mv| mv.pit.index()).collect();
            let penalty = |pit| model.penalty(side, &before, pit);
            penalised += usize::from(counts && (0..6).any(|pit| penalty(pit) > 0));
            let moves = game.position().moves();
            let narrow = if game.moves().len() < 9 { 2 } else { 6 };
            let mv = moves[split_mix(&mut state) as usize % moves.len().min(narrow)];
            game.play(mv).expect("legal");
        }
        for own in Side::BOTH {
            let [mine, theirs] = [own, own.other()].map(|side| game.position().store(side));
            let kept = mine <= theirs && counts;
            assert_eq!(classic.learn(&game, own), kept);
            if kept {
                let pits: Vec<usize> = game.moves().iter().map(|mv| mv.pit.index()).collect();
                model.kept[own.index()].push(Model::code(&pits));
            }
        }
    }
    assert!(model.kept.iter().all(|kept| kept.len() > 100) && penalised > 1000, "{penalised}");
}
