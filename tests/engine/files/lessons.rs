//! Tests of `src/learn/file.rs`.

use kroo::game::{Game, Position, Side, Variant};
use kroo::learn::{LearnFile, LearnUpdate, Lesson};
use std::fs;
use support::games::{is_over, random_game};

/// Lessons of different games, some of which North begins.
fn games(number: usize) -> Vec<Lesson> {
    let lost = (0..).flat_map(|seed| {
        let mut game = random_game(Variant::Awari1978, seed, 200);
        if seed % 2 == 1 {
            let mut other = Game::new(
                Position::parse(Variant::Awari1978, "3-3-3-3-3-3-3-3-3-3-3-3-0-0-N").expect("a position"),
            );
            for mv in game.moves() {
                let swapped = kroo::game::Move { side: mv.side.other(), pit: mv.pit };
                other.play(swapped).expect("legal");
            }
            game = other;
        }
        assert!(is_over(&game));
        Side::BOTH.map(|side| Lesson::of(&game, side)).into_iter().flatten()
    });
    lost.take(number).collect()
}

#[test]
fn a_lesson_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    let (mut file, _) = LearnFile::open(&path).expect("a file");
    let lessons = games(50);
    lessons.iter().for_each(|lesson| drop(file.add(lesson.clone()).expect("written")));
    assert_eq!(LearnFile::open(&path).expect("lessons").1, LearnUpdate { lessons, ..LearnUpdate::default() });
}

#[test]
fn a_file_with_other_lines_replaces_what_was_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    let lessons = games(9);
    let replace = |lessons: &[Lesson]| {
        let text: String = lessons.iter().map(|lesson| format!("{lesson}\n")).collect();
        fs::write(&path, format!("kroo learn 1\n{text}")).expect("a file");
    };
    replace(&lessons[..3]);
    let (mut file, update) = LearnFile::open(&path).expect("lessons");
    assert_eq!(update.lessons, lessons[..3]);
    replace(&lessons[1..]);
    let update = file.read_new().expect("lessons");
    assert!(update.replaced);
    assert_eq!(update.lessons, lessons[1..]);
    assert_eq!(file.read_new().expect("lessons"), LearnUpdate::default());
    fs::remove_file(&path).expect("removed");
    let update = file.add(lessons[0].clone()).expect("written");
    assert_eq!(update, LearnUpdate { lessons: lessons[..1].to_vec(), replaced: true, torn: None });
}

/// What another engine wrote before a failed attempt is told with the next one.
#[test]
fn nothing_counts_as_read_after_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    let lessons = games(3);
    let (mut one, _) = LearnFile::open(&path).expect("a file");
    let (mut other, _) = LearnFile::open(&path).expect("a file");
    one.add(lessons[0].clone()).expect("written");
    let sound = fs::read_to_string(&path).expect("there");
    fs::write(&path, format!("{sound}my notes\n")).expect("written");
    other.add(lessons[1].clone()).expect_err("a line that is no lesson");
    assert!(other.has_pending());
    fs::write(&path, sound).expect("written");
    assert_eq!(other.write_pending().expect("written").lessons, lessons[..1]);
    assert_eq!(one.read_new().expect("lessons").lessons, lessons[1..2]);
}
