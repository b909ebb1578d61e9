//! The small clients in other languages, which a stranger would copy: what they play is a legal game.

use kroo::game::{Game, Move, Position, Variant};
use std::fs;
use std::path::Path;
use std::process::Command;
use support::client::{moves, result};
use support::documents::Errand;
use support::programs::{kroo_path, root};
use support::python::python_with_package;
use support::tools::has;

/// Plies after which the clients stop.
const PLIES: usize = 60;

#[test]
fn python() {
    plays_in_every_variant("python3", "drive.py");
}

#[test]
fn node() {
    plays_in_every_variant("node", "drive.mjs");
}

#[test]
fn python_package() {
    let Some(mut command) = python_with_package() else { return };
    if has("openspiel") {
        // What needs it is then not skipped.
        command.env("KROO_OPENSPIEL", "1");
    }
    command.env("KROO", kroo_path()).args(["-W", "error", "-m", "unittest", "discover", "-s", "tests"]);
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The examples of README.md and of the package's own page, with the executable of the tests.
/// Documents of any program go through Python with a move more.
#[test]
fn python_keeps_documents() {
    let Some(mut python) = python_with_package() else { return };
    let scratch = tempfile::tempdir().expect("a folder");
    let (read, saved) = (scratch.path().join("read.ogn"), scratch.path().join("saved.ogn"));
    let errands = Errand::some(150);
    let text: String = errands.iter().map(|errand| errand.document.to_string()).collect();
    fs::write(&read, text).expect("written");
    let moves: String = errands.iter().map(|errand| errand.mv.map_or('-', Move::letter)).collect();
    let program = "import sys, kroo.ogn\n\
                   with open(sys.argv[1], encoding='utf-8', newline='') as file:\n    games = list(kroo.ogn.games(file))\n\
                   assert len(games) == len(sys.argv[3])\n\
                   for game, move in zip(games, sys.argv[3]):\n    if move != '-':\n        game.board.push(move)\n\
                   with open(sys.argv[2], 'w', encoding='utf-8', newline='') as file:\n    \
                       file.write('\\0'.join(map(str, games)))\n";
    let output = python.args(["-c", program]).args([&read, &saved]).arg(moves).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let saved = fs::read_to_string(saved).expect("text");
    let saved: Vec<&str> = saved.split('\0').collect();
    assert_eq!(saved.len(), errands.len());
    errands.iter().zip(saved).for_each(|(errand, text)| errand.check(text));
}

#[test]
fn python_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in ["README.md", "clients/python/README.md"] {
        let text = fs::read_to_string(root.join(page)).expect("a page");
        let example = text.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
        let example = example.expect("an example").replace("target/release/kroo", kroo_path());
        let Some(mut command) = python_with_package() else { return };
        let output = command.args(["-c", &example]).output().expect("it runs");
        let printed = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{page}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(printed.trim().starts_with(|c: char| c.is_ascii_uppercase()), "{page}: {printed}");
    }
}

/// The examples of the reference, in their order, are one program.
#[test]
fn python_reference() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/reference.md");
    let text = fs::read_to_string(page).expect("a page");
    let examples = text.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next());
    let program = examples.collect::<String>().replace("target/release/kroo", kroo_path());
    let Some(mut command) = python_with_package() else { return };
    let output = command.args(["-W", "error", "-c", &program]).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A replay in the form of Kaggle's Game Arena, and one that cannot be played.
#[test]
fn python_grades_a_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let replay = folder.path().join("replay.json");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/replay.json");
    let played = fs::read_to_string(example).expect("a replay");
    let wrong = r#"{"info": {"actionHistory": [3, 7]}}"#;
    let grade = |text: &str| {
        fs::write(&replay, text).expect("it is written");
        let mut command = python_with_package()?;
        command.args(["-W", "error", "../../examples/grade.py", "--engine", kroo_path(), "--nodes", "2000"]);
        let output = command.arg(&replay).output().expect("it runs");
        Some((
            output.status.success(),
            String::from_utf8([output.stdout, output.stderr].concat()).expect("text"),
        ))
    };
    let Some((well, said)) = grade(&played) else { return };
    let lines: Vec<&str> = said.lines().collect();
    assert!(well && lines.len() == 3 && lines[0].ends_with("0-1, 20 moves"), "{said}");
    for (line, name) in lines[1..].iter().zip(["South, Ama", "North, Kofi"]) {
        let rest =
            line.trim().strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).expect("the player");
        let (lost, rest) = rest.split_once(' ').expect("a mean");
        let lost: f64 = lost.parse().expect("a number");
        assert!((0.0..10.0).contains(&lost) && rest.starts_with("seeds lost a move in "), "{said}");
    }
    let (well, said) = grade(wrong).expect("Python is here");
    assert!(
        !well && said.contains("action number 2: action 7 is not legal") && said.lines().count() == 1,
        "{said}"
    );
}

/// Runs an example of the package; what it says, if it ends well.
fn example(name: &str, words: &[&str]) -> Option<Result<String, String>> {
    let script = format!("../../examples/{name}");
    let mut command = python_with_package()?;
    let output = command.args(["-W", "error", &script, "--engine", kroo_path()]).args(words).output();
    let output = output.expect("it runs");
    let [said, complaints] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    Some(if output.status.success() { Ok(said) } else { Err(complaints) })
}

/// A table of labels without best play, of which there may be several.
fn without_play(table: &str) -> Vec<Vec<String>> {
    let cells = |line: &'_ str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut rows: Vec<Vec<String>> = table.lines().map(cells).collect();
    rows.iter_mut().for_each(|row| drop(row.remove(6)));
    rows
}

/// Exact labels of positions, as a table; the same command goes on after an interruption, and refuses another table.
#[test]
fn python_labels_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let [positions, table] = ["positions.txt", "labels.csv"].map(|name| folder.path().join(name));
    let late = "0-1-2-0-1-1-0-2-0-3-1-1-18-18-S";
    fs::write(&positions, format!("{late} # late\n\n0-0-0-0-0-0-0-0-0-0-0-0-30-18-N\n{late} moves C\n"))
        .expect("written");
    let [positions, path] = [&positions, &table].map(|path| path.to_str().expect("text"));
    let label =
        |words: &[&str]| example("labels.py", &[&["--workers", "2", positions, path], words].concat());
    let Some(said) = label(&[]) else { return };
    assert_eq!(said.as_deref(), Ok("3 positions, 0 of them before: 3 proven, 0 not\n"));
    let whole = fs::read_to_string(&table).expect("a table");
    let rows: Vec<&str> = whole.lines().collect();
    assert!(
        rows[1].starts_with(&format!("{late},0,draw,0,0,true,")) && rows[1].contains(",,-8,0,,-10,0"),
        "{whole}"
    );
    assert!(rows[2].ends_with("-N,-12,loss,-12,-12,true,,,,,,,"), "{whole}");
    let torn = format!("{}\n{}\n{}", rows[0], rows[1], &rows[2][..9]);
    fs::write(&table, torn).expect("written");
    let said = label(&[]).expect("Python is here");
    assert_eq!(said.as_deref(), Ok("3 positions, 1 of them before: 2 proven, 0 not\n"));
    assert_eq!(without_play(&fs::read_to_string(&table).expect("a table")), without_play(&whole));
    fs::write(&table, whole.replacen("18-18-S", "18-18-N", 1)).expect("written");
    let refused = label(&[]).expect("Python is here");
    assert!(
        refused.as_ref().is_err_and(|error| error.contains("row 1: a label of another position")),
        "{refused:?}"
    );
}

/// A table of Parquet has the same rows, with numbers and empty places.
#[test]
fn python_labels_positions_in_parquet() {
    if !has("pyarrow") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let [positions, table] = ["positions.txt", "labels.parquet"].map(|name| folder.path().join(name));
    fs::write(&positions, "0-1-2-0-1-1-0-2-0-3-1-1-18-18-S\n0-0-0-0-0-0-0-0-0-0-0-0-30-18-N\n")
        .expect("written");
    let [positions, path] = [&positions, &table].map(|path| path.to_str().expect("text"));
    let Some(said) = example("labels.py", &["--workers", "1", positions, path]) else { return };
    assert_eq!(said.as_deref(), Ok("2 positions, 0 of them before: 2 proven, 0 not\n"));
    let program = "import sys\nfrom pyarrow import parquet\n\
                   for row in parquet.read_table(sys.argv[1]).to_pylist():\n    \
                       print(row['value'], row['proven'], row['result'], row['move_1'], row['move_2'])\n";
    let output = Command::new("python3").args(["-c", program, path]).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0 True draw None -8\n-12 True loss None None\n");
}

/// A user's program, which uses every part of the package, has the types that it says.
#[test]
fn python_types_are_strict() {
    if !has("mypy") {
        return;
    }
    let mut mypy = Command::new("python3");
    mypy.args(["-m", "mypy", "--strict", "--cache-dir", "/dev/null", "tests/user.py"]).env("MYPYPATH", "src");
    let output = mypy.current_dir(root().join("clients/python")).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// What an agent gives away: a random one, and a policy that is given.
#[test]
fn python_shows_what_agents_give_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("regret.svg");
    let words = [
        "--games",
        "2",
        "--most",
        "14",
        "--agents",
        "random,kroo_policy:first",
        "--picture",
        picture.to_str().expect("text"),
    ];
    fs::write(
        folder.path().join("kroo_policy.py"),
        "def first(board):\n    return 'ABCDEF'.index(board.legal_moves[0].upper())\n",
    )
    .expect("written");
    let Some(mut command) = python_with_package() else { return };
    let package = command
        .get_envs()
        .find(|(name, _)| *name == "PYTHONPATH")
        .and_then(|(_, value)| value)
        .expect("a path");
    let paths = std::env::join_paths([package.to_owned(), folder.path().into()]).expect("paths");
    let output = command
        .env("PYTHONPATH", paths)
        .args(["-W", "error", "../../examples/regret.py", "--engine", kroo_path()])
        .args(words)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).expect("text");
    let rows: Vec<Vec<&str>> = said.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 8, "{said}");
    for row in rows.iter().filter(|row| row[1] == "12") {
        assert!(
            row[4].parse::<u32>().is_ok_and(|moves| moves > 0) && *row.last().expect("a cell") == "0",
            "{said}"
        );
    }
    assert!(fs::read_to_string(picture).expect("a picture").starts_with("<svg"));
}

fn plays_in_every_variant(interpreter: &str, script: &str) {
    if !has(interpreter.trim_end_matches('3')) {
        return;
    }
    for &variant in Variant::ALL {
        check(interpreter, script, variant);
    }
    let output = run(interpreter, script, "chess");
    assert!(!output.0, "a variant that the engine does not know: {}", output.1);
}

/// Whether the client ended well, and what it printed.
fn run(interpreter: &str, script: &str, variant: &str) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(script);
    let output = Command::new(interpreter)
        .arg(script)
        .args([kroo_path(), "--variant", variant])
        .output()
        .expect("it starts");
    let printed = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(printed).expect("text"))
}

fn check(interpreter: &str, script: &str, variant: Variant) {
    let (well, printed) = run(interpreter, script, variant.name());
    assert!(well, "{script} {variant}: {printed}");
    let lines: Vec<&str> = printed.lines().collect();
    let [list, fen, last] = lines[..] else { panic!("{script} {variant}: {printed}") };
    let mut game = Game::new(Position::start(variant));
    for mv in moves(list) {
        game.play(mv).unwrap_or_else(|error| panic!("{script} {variant}: {list}: {mv}: {error}"));
    }
    let plies = game.moves().len();
    assert!(plies == PLIES || plies < PLIES && game.position().verdict().is_some(), "{variant}: {printed}");
    assert_eq!(fen, format!("Fen: {}", game.position()), "{script} {variant}");
    assert_eq!(last, format!("Result: {}", result(game.position())), "{script} {variant}");
}
