//! `--watch`: the page of a running match, its server under attack, and games that do not wait for it.

use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;
use support::scene::{Scene, built, signal, words};
use support::spectator::Match;

#[test]
fn boards_tables_and_games_come_as_they_are_played() {
    let mut played =
        Match::start("--rounds 100000 --concurrency 2 --sprt elo0=-200 elo1=200 alpha=0.0001 beta=0.0001");
    assert!(played.page.starts_with("http://127.0.0.1:"), "{}", played.page);
    for (path, kind) in [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")] {
        let (status, answer) = played.get(path, "");
        assert!(status == 200 && answer.contains(&format!("Content-Type: {kind}")), "{path}: {answer}");
        assert!(answer.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"), "{path}");
    }
    assert_eq!(played.get("/journal", &played.token).0, 404);
    let put = format!("PUT /now HTTP/1.1\r\nHost: {}\r\n{}\r\n", played.host, played.token);
    assert_eq!(played.ask(&put).0, 405);

    let (mut boards, mut tables, mut games): (Vec<Value>, Vec<Value>, Vec<Value>) = Default::default();
    let mut told = 0;
    while boards.len() < 4 || tables.len() < 3 || games.len() < 3 {
        let now = played.now(told);
        assert_eq!(now["engines"], json!(["unhurried", "unhurried-last"]));
        told = now["told"].as_u64().unwrap();
        boards.extend(now["boards"]["boards"].as_array().unwrap().clone());
        games.extend(now["games"].as_array().unwrap().clone());
        tables.push(now["tables"].clone());
        boards.dedup();
        tables.dedup();
        thread::sleep(Duration::from_millis(50));
    }
    for board in &boards {
        assert_eq!(board["board"].as_str().unwrap().len(), 14);
        assert!(board["worker"].as_u64().unwrap() < 2 && board["moves"].as_u64().unwrap() > 0);
    }
    // Each board that follows another one of its game by a move tells how the move came about.
    let steps: Vec<&Value> = boards.iter().filter(|board| board["step"].is_object()).collect();
    assert!(!steps.is_empty());
    for board in steps {
        let (falls, last) = (board["step"]["falls"].as_str().unwrap(), board["last"].as_str().unwrap());
        let (before, after) = (board["step"]["before"].as_str().unwrap(), board["board"].as_str().unwrap());
        assert!(!falls.is_empty() && !falls.starts_with(last), "{board}");
        assert!(before.len() == 14 && before != after, "{board}");
    }
    let counts: Vec<u64> = tables.iter().map(|tables| tables["games"].as_u64().unwrap()).collect();
    assert!(counts.is_sorted_by(|one, other| one < other), "{counts:?}");
    for tables in &tables {
        let is_empty = tables["cards"].as_str().unwrap().contains("No game has ended yet.");
        assert_eq!(is_empty, tables["games"] == 0, "{tables}");
    }
    assert!(tables[2]["standings"].as_str().unwrap().contains("<td class=\"name\">unhurried</td>"));
    assert!(tables[2]["cards"].as_str().unwrap().contains("LLR over the games"));
    assert!(tables[2]["about"].as_str().unwrap().contains("SPRT of −200 against 200"));
    for game in &games {
        let (moves, boards) = (game["moves"].as_str().unwrap(), game["boards"].as_str().unwrap());
        assert_eq!(boards.len(), 14 * (moves.len() + 1));
    }
    signal(&played.referee.0, "TERM");
    let end = played.until(|now| now["is_over"] == true);
    let report = played.end();
    assert_eq!(report.status, 143, "{}", report.stderr);
    assert!(end["tables"]["about"].as_str().unwrap().contains(" The match was interrupted."));
    assert_eq!(end["tables"]["games"], report.json["result"]["games"]);
}

/// At the end the page shows the report.
fn ends_as_the_report(mut played: Match) {
    let end = played.until(|now| now["is_over"] == true);
    let page = played.scene.path("page.html");
    let report = played.end();
    assert!(report.stderr.is_empty(), "{}", report.stderr);
    let html = fs::read_to_string(page).unwrap();
    for part in ["standings", "cards"] {
        assert!(html.contains(end["tables"][part].as_str().unwrap()), "{part}");
    }
    let escaped = end["tables"]["about"].as_str().unwrap().replace('"', "&quot;");
    assert!(html.contains(&escaped), "{escaped}");
    let games = end["games"].as_array().unwrap();
    assert_eq!(games.len(), report.game_results().len());
    for (game, expected) in games.iter().zip(report.game_results()) {
        assert_eq!(game["number"], expected["number"]);
        assert!(html.contains(game["boards"].as_str().unwrap()));
    }
}

#[test]
fn every_event_ends_as_its_report() {
    thread::scope(|scope| {
        for event in ["round-robin", "gauntlet", "swiss", "knockout"] {
            scope.spawn(move || {
                let scene = Scene::new();
                let engines = ["late", "last", "thoughtful", "honest"];
                let engines = engines.map(|manner| scene.engine(manner, &["nodes=1"])).concat();
                let html = vec!["--html".to_owned(), scene.path("page.html").display().to_string()];
                let rounds = if event == "knockout" { "" } else { "--rounds 1" };
                let options = words(&format!("--event {event} {rounds} --max-moves 8"));
                ends_as_the_report(Match::of(scene, &[engines, options, html]));
            });
        }
    });
}

#[test]
fn a_match_that_goes_on_shows_all_its_games() {
    let scene = Scene::new();
    let engines = ["late", "last"].map(|manner| scene.engine(manner, &["nodes=1"])).concat();
    let journal = vec!["--journal".to_owned(), scene.path("journal").display().to_string()];
    let options = words("--rounds 3 --max-moves 8");
    let mut stopped = Match::of(scene, &[engines.clone(), options.clone(), journal.clone()]);
    stopped.await_game(2);
    signal(&stopped.referee.0, "TERM");
    stopped.output.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(stopped.referee.0.wait().unwrap().code(), Some(143));
    let Match { scene, .. } = stopped;
    fs::remove_file(scene.path("games.ogn")).unwrap();
    let html = vec!["--html".to_owned(), scene.path("page.html").display().to_string()];
    let resumed = Match::of(scene, &[engines, options, journal, words("--resume"), html]);
    ends_as_the_report(resumed);
}

#[test]
fn every_address_wants_the_token() {
    for address in ["127.0.0.1", "0.0.0.0"] {
        let mut played = Match::start(&format!("--rounds 100000 --listen {address}"));
        let token = played.page.split("#token=").nth(1).unwrap().to_owned();
        assert_eq!((token.len(), played.get("/", "").0), (32, 200));
        assert!(!played.get("/page.js", "").1.contains("unhurried"), "names need the token");
        for headers in [String::new(), format!("X-Kroo-Token: {token}0\r\n")] {
            let (status, answer) = played.get("/now", &headers);
            assert!(status == 401 && answer.contains("open the whole address"), "{headers}: {answer}");
            assert!(!answer.contains("unhurried"), "{answer}");
        }
        assert_eq!(played.now(0)["is_over"], false);
        assert_eq!(played.terminate().status, 143);
    }
}

#[test]
fn too_much_is_refused_and_the_match_goes_on() {
    let mut played = Match::start("--rounds 100000 --max-moves 30");
    let games = played.await_game(1);
    // Pages that read nothing, and connections that say nothing.
    let deaf: Vec<TcpStream> = (0..60).map(|_| played.deaf()).collect();
    let mut idle: Vec<TcpStream> = (0..200).map(|_| played.connect()).collect();
    for stream in &mut idle {
        // Some are refused already.
        let _ = stream.write_all(b"GET / HT");
    }
    played.await_game(games + 50);
    let report = played.terminate();
    assert_eq!(report.status, 143, "{}", report.stderr);
    drop((deaf, idle));
}

#[test]
fn an_address_that_is_taken_is_an_error_before_the_first_game() {
    let mut played = Match::start("--rounds 100000");
    let port = played.host.rsplit(':').next().unwrap();
    let scene = Scene::new();
    let engines = ["honest", "last"].map(|manner| scene.engine(manner, &[])).concat();
    let journal = vec!["--journal".to_owned(), scene.path("journal").display().to_string()];
    let options = words(&format!("--watch {port}"));
    let second = scene.run(&[engines.clone(), options, journal]);
    assert_eq!((second.status, second.finished()), (1, 0), "{}", second.stdout);
    second.complains("`--watch` chooses another port");
    assert!(!scene.path("journal").exists(), "it would be in the way of the next attempt");
    for wrong in ["--watch 65536", "--listen 0.0.0.0", "--watch 0 --listen localhost"] {
        let report = scene.run(&[engines.clone(), words(wrong)]);
        assert_eq!((report.status, report.finished()), (1, 0), "{wrong}");
    }
    assert_eq!(played.terminate().status, 143);
}

/// At full speed: pages that read nothing do not delay the collector.
#[test]
fn engines_that_answer_at_once_can_be_watched() {
    let scene = Scene::new();
    let instant = built("examples/instant", &["-p", "kroo-referee", "--example", "instant"]);
    let engines = ["a", "b"].map(|name| format!("--engine cmd={} name={name} nodes=1", instant.display()));
    let mut played = Match::of(scene, &[words(&engines.join(" ")), words("--rounds 100000")]);
    let deaf: Vec<TcpStream> = (0..20).map(|_| played.deaf()).collect();
    played.await_game(400);
    assert_eq!(played.now(0)["games"].as_array().unwrap().len(), 50, "the last ones");
    signal(&played.referee.0, "TERM");
    let end = played.until(|now| now["is_over"] == true);
    let count = played.end().json["result"]["games"].as_u64().unwrap();
    assert!(count >= 400);
    let games = end["games"].as_array().unwrap();
    assert_eq!((games.len(), games[299]["number"].as_u64()), (300, Some(count)), "the last ones");
    assert_eq!((&end["tables"]["games"], &end["engines"]), (&json!(count), &json!(["a", "b"])));
    drop(deaf);
}

/// Everything that the page loads is its own.
#[test]
fn the_page_leads_nowhere_else() {
    let mut played = Match::start("--rounds 100000");
    let all: String = ["/", "/page.css", "/page.js"].map(|path| played.get(path, "").1).concat();
    let outside = all.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("://"), "it names another place");
    for word in ["@import", "eval("] {
        assert!(!all.contains(word), "{word}");
    }
    drop(played.terminate());
}
