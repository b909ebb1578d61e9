//! The table of options: bounds, kinds, names, effects, flags.

use kroo::game::Variant;
use kroo::level::Level;
use kroo::protocol::options::{OPTIONS, SpecKind, named, set};
use kroo::protocol::{Effect, OptionError, OptionLine, Reply, Settings};
use kroo::roster::PlayerName;

/// Sets an option on the defaults.
fn after(name: &str, value: Option<&str>) -> Result<(Effect, Settings), OptionError> {
    let mut settings = Settings::default();
    let effect = set(&mut settings, name, value);
    assert!(effect.is_ok() || settings == Settings::default(), "an error leaves all as it was");
    effect.map(|effect| (effect, settings))
}

#[test]
fn the_defaults_are_those_of_the_table() {
    let expected = Settings {
        hash_mib: 16,
        threads: 1,
        multipv: 1,
        ponder: false,
        move_overhead_ms: 2,
        move_limit: 250,
        variant: Variant::Awari,
        named: Variant::Awari,
        seeds: 0,
        empty_capture: false,
        rest_to_opponent: false,
        show_wdl: false,
        solution: true,
        eval_file: String::new(),
        level: Level::Full,
        limit_strength: false,
        elo: 1000,
        endgame_seeds: 48,
        endgame_path: String::new(),
        player: PlayerName::Kroo,
        seed: 1,
        learn_file: String::new(),
    };
    assert_eq!(Settings::default(), expected);
}

#[test]
fn the_lines_and_flags_come_from_the_table() {
    let lines: Vec<String> =
        OPTIONS.iter().map(|spec| format!("--{} {}", spec.flag(), spec.line())).collect();
    let expected = [
        "--hash option name Hash type spin default 16 min 1 max 65536",
        "--clear-hash option name Clear Hash type button",
        "--threads option name Threads type spin default 1 min 1 max 256",
        "--multipv option name MultiPV type spin default 1 min 1 max 6",
        "--ponder option name Ponder type check default false",
        "--move-overhead option name Move Overhead type spin default 2 min 0 max 5000",
        "--movelimit option name MoveLimit type spin default 250 min 0 max 1000000",
        "--variant option name UCI_Variant type combo default awari var awari var awari1978 var ayoayo var oware \
         var kalah var kalah3 var kalah5 var kalah6 var avalanche",
        "--seeds-a-pit option name Seeds type spin default 0 min 0 max 6",
        "--emptycapture option name EmptyCapture type check default false",
        "--remainingseeds option name RemainingSeeds type combo default owner var owner var opponent",
        "--showwdl option name UCI_ShowWDL type check default false",
        "--solution option name Solution type check default true",
        "--level option name Level type combo default full var initiation var beginner var amateur \
         var grandmaster var full",
        "--limitstrength option name UCI_LimitStrength type check default false",
        "--elo option name UCI_Elo type spin default 1000 min 0 max 2000",
        "--evalfile option name EvalFile type string default <empty>",
        "--endgamepath option name EndgamePath type string default <empty>",
        "--endgameseeds option name EndgameSeeds type spin default 48 min 0 max 48",
        "--player option name Player type combo default kroo var random var greedy var careful var classic1978 var evolved \
         var kroo",
        "--seed option name Seed type spin default 1 min 0 max 4294967295",
        "--learnfile option name LearnFile type string default <empty>",
    ];
    assert_eq!(lines, expected);
    for spec in OPTIONS {
        let line: OptionLine = spec.line();
        assert_eq!(Reply::parse(&line.to_string()), Ok(Reply::Option(line)));
        assert!(spec.doc.ends_with('.'), "{}", spec.name);
    }
}

#[test]
fn every_bound_of_every_number() {
    for spec in OPTIONS {
        let SpecKind::Spin { min, max, .. } = spec.kind else { continue };
        for inside in [min, max] {
            assert!(after(spec.name, Some(&inside.to_string())).is_ok(), "{} {inside}", spec.name);
        }
        let beyond = ["-99999999999999999999", "99999999999999999999"].map(str::to_owned);
        for outside in [(min - 1).to_string(), (max + 1).to_string()].into_iter().chain(beyond) {
            let error = after(spec.name, Some(&outside)).expect_err(&outside);
            assert!(matches!(error, OptionError::OutOfRange { .. }), "{error}");
            assert!(error.to_string().contains(&spec.allowed()), "{error}");
        }
    }
}

#[test]
fn every_wrong_kind() {
    for spec in OPTIONS {
        let error = after(spec.name, Some("no such value"));
        match spec.kind {
            SpecKind::Button => {
                assert_eq!(error, Err(OptionError::ButtonValue { name: spec.name }));
                continue;
            }
            SpecKind::Text { .. } => {
                assert!(error.is_ok(), "any text will do");
                continue;
            }
            _ => assert!(matches!(error, Err(OptionError::WrongKind { .. })), "{error:?}"),
        }
        for nothing in [None, Some(""), Some("  ")] {
            let error = after(spec.name, nothing).expect_err(spec.name);
            assert!(matches!(error, OptionError::MissingValue { .. }), "{error}");
        }
    }
    for value in ["1.5", "0x10", "+1", "1 2", "true", "16 MiB"] {
        let error = after("Hash", Some(value)).expect_err(value);
        assert!(matches!(error, OptionError::WrongKind { .. }), "{error}");
    }
}

#[test]
fn names_in_any_case_and_with_blanks() {
    let overhead = |ms| Settings { move_overhead_ms: ms, ..Settings::default() };
    assert_eq!(after("mOVE oVERHEAD", Some("25")), Ok((Effect::Nothing, overhead(25))));
    assert_eq!(after(" clear hash ", None), Ok((Effect::ClearTable, Settings::default())));
    assert_eq!(named("uci_variant").map(|spec| spec.name), Some("UCI_Variant"));
    let oware = Settings { variant: Variant::Oware, named: Variant::Oware, ..Settings::default() };
    assert_eq!(after("UCI_VARIANT", Some("Oware")), Ok((Effect::NewVariant, oware)));
    let file = Settings { eval_file: "a b.eval".to_owned(), ..Settings::default() };
    assert_eq!(after("EvalFile", Some(" a b.eval ")), Ok((Effect::LoadWeights, file)));
    assert_eq!(after("EvalFile", Some("<empty>")), Ok((Effect::Nothing, Settings::default())));
}

#[test]
fn what_is_set_already_has_no_effect() {
    assert_eq!(after("Hash", Some("16")), Ok((Effect::Nothing, Settings::default())));
    assert_eq!(after("UCI_Variant", Some("awari")), Ok((Effect::Nothing, Settings::default())));
    let larger = Settings { hash_mib: 17, ..Settings::default() };
    assert_eq!(after("Hash", Some("17")), Ok((Effect::ResizeTable, larger)));
}

#[test]
fn what_the_errors_say() {
    let say = |name, value| after(name, value).expect_err(name).to_string();
    assert_eq!(
        say("EngineTurn", Some("south")),
        "no option is called `EngineTurn`; the options are Hash, Clear Hash, Threads, MultiPV, Ponder, \
         Move Overhead, MoveLimit, UCI_Variant, Seeds, EmptyCapture, RemainingSeeds, UCI_ShowWDL, Solution, Level, UCI_LimitStrength, UCI_Elo, EvalFile, EndgamePath, EndgameSeeds, Player, \
         Seed, LearnFile"
    );
    for (misspelt, option) in
        [("Threds", "Threads"), ("endgame path", "EndgamePath"), ("multipvs", "MultiPV")]
    {
        let guess =
            format!("no option is called `{misspelt}` (did you mean `{option}`?); the options are Hash, ");
        assert!(say(misspelt, Some("2")).starts_with(&guess));
    }
    assert_eq!(say("hash", Some("0")), "option Hash takes a number from 1 to 65536, and `0` is out of range");
    assert_eq!(
        say("Threads", Some("257")),
        "option Threads takes a number from 1 to 256, and `257` is out of range"
    );
    assert_eq!(say("Ponder", Some("yes")), "option Ponder takes `true` or `false`, not `yes`");
    assert_eq!(say("Hash", None), "option Hash needs a value: a number from 1 to 65536");
    assert_eq!(say("Clear Hash", Some("1")), "option Clear Hash is a button and takes no value");
    assert_eq!(
        say("UCI_Variant", Some("chess")),
        "option UCI_Variant takes `awari`, `awari1978`, `ayoayo`, `oware`, `kalah`, `kalah3`, \
         `kalah5`, `kalah6` or `avalanche`, not `chess`"
    );
}

#[test]
fn a_text_may_be_anything_and_nothing() {
    let file = |path: &str| Settings { eval_file: path.to_owned(), ..Settings::default() };
    let path = "/a folder/my weights.eval";
    assert_eq!(after("evalfile", Some(&format!("  {path} "))), Ok((Effect::LoadWeights, file(path))));
    for nothing in [None, Some(""), Some("  "), Some("<empty>")] {
        let mut settings = file("x");
        assert_eq!(set(&mut settings, "EvalFile", nothing), Ok(Effect::LoadWeights), "{nothing:?}");
        assert_eq!(settings, file(""));
        assert_eq!(after("EvalFile", nothing), Ok((Effect::Nothing, file(""))));
    }
}
