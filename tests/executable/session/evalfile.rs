//! The option `EvalFile`, and its flag.

use super::playing;
use kroo::evaluate::Weights;
use kroo::game::Variant;
use std::fs;
use support::client::Client;
use support::data::summed;

#[test]
fn a_file_of_weights_by_option_and_by_flag() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (good, bad, foreign, level) = (path("my good.eval"), path("bad"), path("foreign"), path("level"));
    let mut bytes = Weights::built_in(Variant::Kalah).to_bytes();
    fs::write(&good, &bytes).expect("written");
    let weights_end = bytes.len() - 4;
    bytes[100] ^= 1;
    fs::write(&bad, &bytes).expect("written");
    bytes[36..weights_end].fill(0);
    fs::write(&level, summed(bytes)).expect("written");
    fs::write(&foreign, "no weights").expect("written");
    let mut client = playing(Variant::Kalah);
    let built_in = client.says("eval");
    client.set("EvalFile", &level);
    let without = client.says("eval");
    assert!(without.iter().any(|line| line.to_string().contains("network        +0")), "{without:?}");
    for (file, wanted) in [
        (&bad, "the checksum is wrong"),
        (&foreign, "this is not a weights file"),
        (&path("nothing"), "No such file"),
    ] {
        let error = client.refuses(&format!("setoption name EvalFile value {file}"));
        assert!(error.contains(wanted) && error.contains(file.as_str()), "{error}");
        assert_eq!(client.says("eval"), without, "nothing has changed");
    }
    client.set("EvalFile", &good);
    assert_eq!(client.says("eval"), built_in);
    client.set("EvalFile", &level);
    client.set("EvalFile", "<empty>");
    assert_eq!(client.says("eval"), built_in);
    client.set("EvalFile", &good);
    let told = client.says("setoption name UCI_Variant value oware");
    assert!(told.iter().any(|line| line.to_string().contains("EvalFile is empty again")), "{told:?}");
    let error = client.refuses(&format!("setoption name EvalFile value {good}"));
    assert!(error.contains("weights for kalah, and the rule set is oware"), "{error}");
    drop(client);
    let mut client = Client::with_flags(&["--evalfile", &level, "--variant", "kalah"]);
    assert_eq!(client.says("eval"), without);
}

/// Trained again, under the same name.
#[test]
fn a_file_is_read_again_when_it_is_set_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("trained.eval");
    let mut bytes = Weights::built_in(Variant::Oware).to_bytes();
    fs::write(&file, &bytes).expect("written");
    let (mut client, name) = (playing(Variant::Oware), file.to_str().expect("text"));
    client.set("EvalFile", name);
    let before = client.says("eval");
    let end = bytes.len() - 4;
    bytes[36..end].fill(0);
    fs::write(&file, summed(bytes)).expect("written");
    assert_eq!(client.says("eval"), before);
    client.set("EvalFile", name);
    assert_ne!(client.says("eval"), before);
}

/// New weights clear the table, whose values came from the old ones.
#[test]
fn new_weights_find_an_empty_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("level.eval");
    let mut bytes = Weights::built_in(Variant::Oware).to_bytes();
    let end = bytes.len() - 4;
    bytes[36..end].fill(0);
    fs::write(&file, summed(bytes)).expect("written");
    let nodes = |client: &mut Client| client.go("go depth 9").last().nodes.expect("a number");
    let (mut fresh, mut used) = (playing(Variant::Oware), playing(Variant::Oware));
    fresh.set("EvalFile", file.to_str().expect("text"));
    let expected = nodes(&mut fresh);
    assert_ne!(nodes(&mut used), expected, "the weights change nothing");
    used.set("EvalFile", file.to_str().expect("text"));
    assert_eq!(nodes(&mut used), expected);
}
