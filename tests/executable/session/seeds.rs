//! The option `Seeds`.

use kroo::protocol::Reply;
use support::client::Client;

#[test]
fn the_option_chooses_the_seeds() {
    let start = |seeds: u8| format!("{}-0-0-S", vec![seeds.to_string(); 12].join("-"));
    let mut client = Client::new();
    client.set("Seeds", "6");
    assert_eq!(client.shows().0, start(6), "awari");
    assert!(
        client
            .refuses("setoption name Seeds value 2")
            .contains("awari is played with 3 to 6 seeds a pit, not 2")
    );
    client.set("UCI_Variant", "kalah");
    assert_eq!(client.shows().0, start(6), "the order does not matter");
    for seeds in 1..=6 {
        client.set("Seeds", &seeds.to_string());
        assert_eq!(client.shows().0, start(seeds));
        client.accepts("position startpos moves A");
        assert!(client.go("go depth 9 nodes 3000").best.is_some());
    }
    client.accepts("position fen 5-0-0-2-1-0-0-0-3-0-0-1-0-1-N");
    assert!(client.go("go depth 30").best.is_some());
    client.set("Seeds", "0");
    assert_eq!(client.shows().0, start(4));
    client.set("UCI_Variant", "kalah5");
    assert_eq!(client.shows().0, start(5));
    client.set("Seeds", "3");
    assert_eq!(client.shows().0, start(3));
    let said = client.says("setoption name UCI_Variant value ayoayo");
    assert!(said.iter().any(|reply: &Reply| reply.to_string().contains("Seeds is 0 again")), "{said:?}");
    assert_eq!(client.shows().0, start(4));
}
