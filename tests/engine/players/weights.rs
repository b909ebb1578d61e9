//! The evolved player's file and its loading.

use super::{chosen, seated};
use kroo::game::{Game, Position, Variant, split_mix};
use kroo::players::evolved::{Evolved, EvolvedWeights};
use kroo::players::{PlayerConfig, player};
use kroo::roster::PlayerName;
use std::fs;
use support::games::played;

const GOOD: &str =
    "kroo evolved 1\n# by hand\nvariant awari\na2 0.25\na3 0.5 # more\n\nb2 -0.25\nb3 -5e-1\nas -1\nbs 1\n";

#[test]
fn a_file_is_read_and_written_to_the_last_bit() {
    let weights = EvolvedWeights::parse(GOOD).expect("it is good");
    assert_eq!(
        weights,
        EvolvedWeights { terms: [0.25, 0.5, -0.25, -0.5, -1.0, 1.0], variant: Some(Variant::Awari) }
    );
    let mut state = 5;
    for _ in 0..1000 {
        let terms = std::array::from_fn(|_| (split_mix(&mut state) as f64 - 9e18) / 1e17);
        let weights = EvolvedWeights { terms, variant: None };
        assert_eq!(EvolvedWeights::parse(&weights.to_text(&["a comment".to_owned()])), Ok(weights));
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let wrong = [
        ("", ", line 1, column 1: expected `kroo evolved 1`, found ``"),
        ("kroo evolved 2\n", ", line 1, column 1: expected `kroo evolved 1`, found `kroo evolved 2`"),
        ("kroo evolved 1\n  a4 1\n", ", line 2, column 3: `a4` is not a weight: "),
        ("kroo evolved 1\na2 1\na2 1\n", ", line 3, column 1: `a2` is given twice"),
        ("kroo evolved 1\na2 nan\n", ", line 2, column 4: `nan` is not a weight of a2: "),
        ("kroo evolved 1\na2 1e10\n", ", line 2, column 4: `1e10` is not a weight of a2: "),
        ("kroo evolved 1\na2\n", ", line 2, column 3: `` is not a weight of a2: "),
        ("kroo evolved 1\na2 1 2\n", ", line 2, column 6: unexpected `2`: "),
        ("kroo evolved 1\nvariant chess\n", ", line 2, column 9: no rule set is called `chess`; "),
        ("kroo evolved 1\na2 1\n", ": there is no line for the weight a3"),
    ];
    for (text, said) in wrong {
        let fault = EvolvedWeights::parse(text).expect_err(text).to_string();
        assert!(fault.starts_with(said), "{text:?}: {fault}");
    }
}

#[test]
fn a_file_for_another_game_or_of_another_kind_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("good");
    fs::write(&path, GOOD).expect("a file");
    let seat = |variant, path: &str| {
        let equipment = PlayerConfig { eval_file: path.to_owned(), ..PlayerConfig::new(variant) };
        player(PlayerName::Evolved, &equipment).map(drop).map_err(|error| error.to_string())
    };
    let good = path.to_string_lossy().into_owned();
    assert_eq!(seat(Variant::Awari, &good), Ok(()));
    assert!(seat(Variant::Oware, &good).is_err_and(|error| error.contains("weights for awari")));
    fs::write(&path, b"\xff\xfe").expect("a file");
    assert!(seat(Variant::Awari, &good).is_err_and(|error| error.contains("this is not a file")));
    assert!(seat(Variant::Awari, "/nowhere/at/all").is_err());
}

#[test]
fn it_plays_every_game_with_the_weights_compiled_in() {
    for &variant in Variant::ALL {
        assert!(Evolved::named("", variant).is_ok());
        let mut seated = seated(PlayerName::Evolved, variant, 1);
        let mut game = Game::new(Position::start(variant));
        for _ in 0..6 {
            let mv = chosen(&mut *seated, &game);
            game.play(mv).expect("a legal move");
        }
    }
    assert!(played(Variant::Awari, "FfEc").position().verdict().is_none());
}
