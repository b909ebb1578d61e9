//! Tests of `src/learn/mod.rs`.

use kroo::game::{Game, Position, Side, Variant};
use kroo::learn::{LearnFile, Learned, Lesson};
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
    lessons.iter().for_each(|lesson| file.add(lesson).expect("written"));
    assert_eq!(LearnFile::open(&path).expect("lessons").1, Learned { lessons, torn: None });
}

/// Two engines write in turns, and one cannot for a while; its end writes what is left.
#[test]
fn a_lesson_that_cannot_be_written_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lessons");
    let lessons = games(4);
    let (mut one, _) = LearnFile::open(&path).expect("a file");
    let (mut other, _) = LearnFile::open(&path).expect("a file");
    one.add(&lessons[0]).expect("written");
    let sound = fs::read_to_string(&path).expect("there");
    let unsound = format!("{sound}my notes");
    fs::write(&path, &unsound).expect("written");
    let error = other.add(&lessons[1]).expect_err("a line that is no lesson").to_string();
    assert!(error.contains("line 3, column 1: expected `S` or `N`, found `my notes`"), "{error}");
    assert_eq!(fs::read_to_string(&path).expect("there"), unsound);
    fs::write(&path, &sound).expect("written");
    other.add(&lessons[2]).expect("written");
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a folder");
    one.add(&lessons[3]).expect_err("a folder");
    fs::remove_dir(&path).expect("removed");
    fs::write(&path, format!("{sound}{}\n{}", lessons[1], lessons[2])).expect("written");
    drop(one);
    assert_eq!(LearnFile::open(&path).expect("lessons").1, Learned { lessons, torn: None });
}
