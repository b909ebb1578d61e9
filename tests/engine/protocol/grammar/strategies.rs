//! Random commands, replies and texts for property tests.

use kroo::game::{Move, Verdict};
use kroo::protocol::{
    Bound, Command, GameResult, GoCommand, Info, InfoScore, Limits, OptionKind, OptionLine, PositionCommand,
    Query, Question, Reply, Response, ReviewedMoves, ScoreValue, SolveCommand, StartPosition, Text,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn mv() -> impl Strategy<Value = Move> {
    prop::sample::select("ABCDEFabcdef".chars().filter_map(Move::from_letter).collect::<Vec<_>>())
}

fn fen() -> impl Strategy<Value = String> {
    "[0-9]{1,2}(-[0-9]{1,2}){13}-[SN]2?"
}

/// Words with single spaces between them, none a keyword of `setoption` or `option`.
fn phrase() -> impl Strategy<Value = String> {
    let keyword = |word: &String| ["value", "type", "default", "var"].contains(&word.as_str());
    vec("[!-~éß☃]{1,9}".prop_filter("a keyword", move |word| !keyword(word)), 1..4)
        .prop_map(|words| words.join(" "))
}

/// Text without surrounding blanks, perhaps empty.
fn free() -> impl Strategy<Value = String> {
    "([!-~é☃]([ -~\té☃]{0,30}[!-~é☃])?)?"
}

fn limits() -> impl Strategy<Value = Limits> {
    let fixed = (option::of(1..=127u32), option::of(1..=u64::MAX), option::of(any::<u64>()));
    let sides = (option::of(any::<i64>()), option::of(any::<i64>()));
    let gains = (option::of(any::<u64>()), option::of(any::<u64>()));
    let moves = (option::of(any::<u32>()), option::of(1..=u32::MAX), vec(mv(), 0..8));
    (fixed, sides, gains, moves, any::<[bool; 2]>()).prop_map(
        |((depth, nodes, movetime), (wtime, btime), (winc, binc), (movestogo, mate, searchmoves), flags)| {
            let [infinite, ponder] = flags;
            let clocks = Limits { wtime, btime, winc, binc, movestogo, ..Limits::default() };
            Limits { depth, nodes, movetime, mate, infinite, ponder, searchmoves, ..clocks }
        },
    )
}

/// Every command.
pub fn command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![Just(StartPosition::Startpos), fen().prop_map(StartPosition::Fen)];
    let position =
        (start, vec(mv(), 0..60)).prop_map(|(start, moves)| PositionCommand { start, moves }).boxed();
    let side = option::of(prop::sample::select(&kroo::game::Side::BOTH[..]));
    let question = prop::sample::select(vec![Question::Value, Question::Draw, Question::Win]);
    let bare = [
        Command::Uci,
        Command::Ugi,
        Command::IsReady,
        Command::NewGame,
        Command::Stop,
        Command::PonderHit,
        Command::Quit,
        Command::Display,
        Command::Eval,
        Command::Rules,
        Command::FairStarts,
        Command::Help,
        Command::Query(Query::GameOver),
        Command::Query(Query::P1Turn),
        Command::Query(Query::Result),
    ];
    prop_oneof![
        prop::sample::select(bare.to_vec()),
        any::<bool>().prop_map(Command::Debug),
        (phrase(), option::of(free())).prop_map(|(name, value)| Command::SetOption { name, value }),
        position.clone().prop_map(Command::Position),
        option::of(position).prop_map(Command::Endgame),
        limits().prop_map(|limits| Command::Go(GoCommand::Search(limits))),
        (1u32..=64).prop_map(|depth| Command::Go(GoCommand::Perft(depth))),
        option::of(1u32..=127).prop_map(Command::Bench),
        (1u32..=64).prop_map(Command::Perft),
        vec(mv(), 0..60).prop_map(Command::Sow),
        (
            (side, option::of(1..=usize::MAX)),
            option::of(1..=127u32),
            option::of(1..=u64::MAX),
            option::of(1..=u64::MAX)
        )
            .prop_map(|((side, from), depth, nodes, movetime)| {
                let limits = Limits { depth, nodes, movetime, ..Limits::default() };
                Command::Review(ReviewedMoves { side, from }, limits)
            }),
        (any::<bool>(), question, option::of(1..=u64::MAX), option::of(1..=u64::MAX)).prop_map(
            |(moves, question, nodes, movetime)| {
                Command::Solve(SolveCommand { moves, question, nodes, movetime })
            }
        ),
    ]
}

fn score() -> impl Strategy<Value = InfoScore> {
    let worth = prop_oneof![any::<i32>().prop_map(ScoreValue::Cp), any::<i32>().prop_map(ScoreValue::Mate)];
    let bound = prop::sample::select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    let proven = prop::sample::select(vec![Verdict::Win, Verdict::Draw, Verdict::Loss]);
    let found = prop::sample::select(vec![Verdict::Win, Verdict::Loss]);
    (worth, bound, option::of(proven), option::of(found), option::of(any::<[u16; 3]>()))
        .prop_map(|(value, bound, proven, found, wdl)| InfoScore { value, bound, proven, found, wdl })
}

fn info() -> impl Strategy<Value = Info> {
    let small = || option::of(any::<u32>());
    let large = || option::of(any::<u64>());
    let depths = (small(), small(), small(), option::of(score()));
    let counts = (large(), large(), small(), large(), large());
    let moves = (option::of(mv()), small(), vec(mv(), 0..20), option::of(free()));
    (depths, counts, moves).prop_map(|(depths, counts, moves)| {
        let (depth, seldepth, multipv, score) = depths;
        let (nodes, nps, hashfull, tbhits, time) = counts;
        let (currmove, currmovenumber, pv, string) = moves;
        let counts = Info { nodes, nps, hashfull, tbhits, time, ..Info::default() };
        Info { depth, seldepth, multipv, score, currmove, currmovenumber, pv, string, ..counts }
    })
}

fn option_line() -> impl Strategy<Value = OptionLine> {
    let text = free().prop_filter("how nothing is written", |text| text != "<empty>");
    let kind = prop_oneof![
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        (phrase(), vec(phrase(), 0..5)).prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        text.prop_map(|default| OptionKind::String { default }),
    ];
    (phrase(), kind).prop_map(|(name, kind)| OptionLine { name, kind })
}

fn result() -> impl Strategy<Value = GameResult> {
    let all = [GameResult::Ongoing, GameResult::SouthWins, GameResult::NorthWins, GameResult::Draw];
    prop::sample::select(all.to_vec())
}

/// Every reply.
pub fn reply() -> impl Strategy<Value = Reply> {
    let text = "[ -~é\t]{1,60}".prop_filter_map("another reply", |line| Text::new(&line).ok());
    prop_oneof![
        free().prop_map(Reply::IdName),
        free().prop_map(Reply::IdAuthor),
        option_line().prop_map(Reply::Option),
        Just(Reply::UciOk),
        Just(Reply::UgiOk),
        any::<bool>().prop_map(|truth| Reply::Response(Response::Truth(truth))),
        result().prop_map(|result| Reply::Response(Response::Result(result))),
        Just(Reply::ReadyOk),
        info().prop_map(Reply::Info),
        (option::of(mv()), option::of(mv())).prop_map(|(best, ponder)| Reply::BestMove { best, ponder }),
        (mv(), any::<u64>()).prop_map(|(mv, nodes)| Reply::PerftMove { mv, nodes }),
        any::<u64>().prop_map(Reply::PerftTotal),
        fen().prop_map(Reply::Fen),
        result().prop_map(Reply::Result),
        text.prop_map(Reply::Text),
    ]
}

/// Text that is almost a protocol line, or not at all, or very long.
pub fn garbage() -> impl Strategy<Value = String> {
    let words = [
        "go",
        "position",
        "setoption",
        "name",
        "value",
        "info",
        "score",
        "cp",
        "wdl",
        "bestmove",
        "option",
        "type",
        "spin",
        "combo",
        "var",
        "default",
        "moves",
        "startpos",
        "fen",
        "depth",
        "searchmoves",
        "p1time",
        "query",
        "response",
        "id",
        "Fen:",
        "Result:",
        "-1",
        "7",
        "FfEc",
        "0000",
        "string",
        "\0",
        "\u{202e}",
        "99999999999999999999999",
        " ",
        "\t",
        "\r",
        "\n",
        "é",
    ];
    prop_oneof![
        any::<String>(),
        vec(any::<char>(), 0..300).prop_map(|letters| letters.into_iter().collect()),
        vec(prop::sample::select(words.to_vec()), 0..20).prop_map(|words| words.join(" ")),
        (prop::sample::select(words.to_vec()), any::<char>(), 1usize..3000)
            .prop_map(|(word, letter, times)| format!("{word} {}", String::from(letter).repeat(times))),
    ]
}
