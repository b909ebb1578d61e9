//! The numbers of the search as options, in a build with the feature `tune` (.ci/long has one).

use super::text;
use support::client::Client;

#[test]
fn the_numbers_of_the_search_can_be_set_for_a_tuner() {
    let mut client = Client::new();
    let told = text(&client.says("uci"));
    for line in [
        "option name LmrFullMoves type spin default 2 min 1 max 6",
        "option name RfpMargin type spin default 80 min 20 max 300",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}: {told:?}");
    }
    let names: Vec<_> =
        told.iter().filter_map(|line| line.split(" type ").next()?.strip_prefix("option name ")).collect();
    for (place, name) in names.iter().enumerate() {
        assert!(names[..place].iter().all(|other| !other.eq_ignore_ascii_case(name)), "{name}");
    }
    let mut nodes = |line: &str| {
        client.accepts(line);
        client.accepts("ucinewgame");
        client.go("go depth 10").nodes()
    };
    let before = nodes("position startpos");
    let others = [
        "LmrFullMoves value 6",
        "RfpMarginAwari value 300",
        "IirMinDepth value 12",
        "AspirationWindow value 10",
    ];
    for set in others {
        assert_ne!(nodes(&format!("setoption name {set}")), before, "{set}");
        let name = set.split(' ').next().expect("a name");
        let default =
            told.iter().find_map(|line| line.strip_prefix(&format!("option name {name} type spin default ")));
        let default = default.and_then(|rest| rest.split(' ').next()).expect("its line");
        assert_eq!(nodes(&format!("setoption name {name} value {default}")), before, "{name}");
    }
    for wrong in ["RfpMargin value 301", "RfpMargin value x", "RfpMargin"] {
        let error = client.refuses(&format!("setoption name {wrong}"));
        assert!(error.contains("option RfpMargin: expected a whole number from 20 to 300"), "{error}");
    }
}
