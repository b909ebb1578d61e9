//! Documents of games that no program would write by itself: odd tags, comments with any characters, variations within variations.

use kroo::game::{Game, Move, Position, Variant, split_mix};
use kroo::ogn::{GameRecord, MoveNotes, MoveText, VariationText, parse};

/// Parts of texts that a careless writer or reader would trip over.
const PARTS: [&str; 24] = [
    "{",
    "}",
    "(",
    ")",
    ";",
    "[x \"y\"]",
    "[",
    "]",
    "%",
    "$4",
    "?!",
    "\\",
    "\"",
    "1.",
    "25-20",
    "*",
    "é",
    "\u{a0}",
    "種",
    "\u{1b}[2J",
    "a",
    "remark",
    "\u{feff}",
    "averyveryverylongwordthatfillsmostofalineandthensomemoreofthenextlinetoo",
];

/// A random number below `most`.
fn below(state: &mut u64, most: usize) -> usize {
    (split_mix(state) % most as u64) as usize
}

/// Up to `most` words.
fn words(state: &mut u64, most: usize) -> String {
    let word = |state: &mut u64| -> String {
        let parts = 1 + below(state, 3);
        (0..parts).map(|_| PARTS[below(state, PARTS.len())]).collect()
    };
    let count = below(state, most + 1);
    (0..count).map(|_| word(state)).collect::<Vec<_>>().join(" ")
}

/// A comment, often none.
fn comment(state: &mut u64) -> String {
    if below(state, 3) > 0 { String::new() } else { words(state, 25) }
}

/// A judgement, comment, and variations that begin with other moves. The first move of a variation has none.
fn notes(game: &Game, mv: Move, depth: usize, state: &mut u64) -> MoveNotes {
    let sign = ["", "", "", "!", "?", "!!", "??", "!?", "?!"][below(state, 9)].to_owned();
    let comment = comment(state);
    let others = game.position().moves().into_iter().filter(|&other| other != mv);
    let chosen: Vec<Move> = others.filter(|_| depth > 0 && below(state, 8) == 0).collect();
    let variations =
        chosen.into_iter().map(|other| variation(game.clone(), other, depth - 1, state)).collect();
    MoveNotes { sign, comment, variations }
}

fn variation(mut game: Game, first: Move, depth: usize, state: &mut u64) -> VariationText {
    let before = comment(state);
    let mut moves = vec![MoveText::new(first, notes(&game, first, 0, state))];
    game.play(first).expect("a listed move");
    for _ in 0..below(state, 4) {
        let legal = game.position().moves();
        if legal.is_empty() || game.position().verdict().is_some() {
            break;
        }
        let mv = legal[below(state, legal.len())];
        moves.push(MoveText::new(mv, notes(&game, mv, depth, state)));
        game.play(mv).expect("a listed move");
    }
    VariationText { before, moves }
}

/// A random document of a game that is not over by the rules. Every third one was ended otherwise.
#[must_use]
pub fn random_document(seed: u64) -> GameRecord {
    let state = &mut (seed ^ 0x5eed);
    let variant = Variant::ALL[below(state, Variant::ALL.len())];
    let start = Position::start(variant);
    let (mut game, mut all) = (Game::new(start), Vec::new());
    for _ in 0..below(state, 30) {
        let legal = game.position().moves();
        let mv = legal[below(state, legal.len())];
        let mut next = game.clone();
        next.play(mv).expect("a listed move");
        if next.position().verdict().is_some() {
            break;
        }
        all.push(notes(&game, mv, 3, state));
        game = next;
    }
    let mut tags = vec![("Variant".to_owned(), variant.title().to_owned())];
    for name in ["Event", "South", "North", "Annotator", "x-Y_7", "7", "__proto__", "Ünknown", "Date"] {
        if below(state, 3) > 0 {
            tags.insert(below(state, tags.len() + 1), (name.to_owned(), words(state, 6)));
        }
    }
    let ends = [("1-0", "forfeit: \"late\""), ("0-1", "resignation"), ("1/2-1/2", "agreed draw")];
    let (result, termination) =
        if seed.is_multiple_of(3) { ends[below(state, 3)] } else { ("*", "unfinished") };
    for (name, value) in
        [("Result", result), ("Termination", termination), ("MoveLimit", "400"), ("Clock", "5+3")]
    {
        tags.insert(below(state, tags.len() + 1), (name.to_owned(), value.to_owned()));
    }
    let before = comment(state);
    GameRecord::of_parts(game, tags, before, all).expect("a document of legal moves")
}

/// The text of a document without the stores at its end, and with each line break as a space: that of the same document with a
/// move more begins so.
#[must_use]
pub fn stem(text: &str) -> String {
    let (stem, _) = text.trim_end().rsplit_once(['\n', ' ']).expect("a last word");
    stem.replace('\n', " ")
}

/// A document that a program is to load, play one move more in, and save; a game that is over, or that its next legal move ends,
/// is only loaded and saved.
#[derive(Debug)]
pub struct Errand {
    /// The document.
    pub document: GameRecord,
    /// The move that is to be made, if any.
    pub mv: Option<Move>,
}

impl Errand {
    /// Some of them.
    #[must_use]
    pub fn some(count: u64) -> Vec<Errand> {
        let errand = |seed| {
            let document = random_document(seed);
            let first = document.game.position().moves()[0];
            let mut next = document.game.clone();
            next.play(first).expect("a listed move");
            let goes_on = document.result() == "*" && next.position().verdict().is_none();
            Errand { document, mv: goes_on.then_some(first) }
        };
        (0..count).map(errand).collect()
    }

    /// Checks what a program has saved: everything is as it came, byte for byte but for the stores at the end and breaks of lines,
    /// and the move is there.
    ///
    /// # Panics
    /// If it is not.
    pub fn check(&self, saved: &str) {
        let old = self.document.to_string();
        let Some(mv) = self.mv else {
            assert_eq!(saved.trim_end(), old.trim_end());
            return;
        };
        assert!(saved.replace('\n', " ").starts_with(&stem(&old)), "{old}\n{saved}");
        let read = parse(saved).unwrap_or_else(|error| panic!("{error}\n{saved}")).remove(0);
        assert_eq!(read.tags(), self.document.tags(), "{saved}");
        assert_eq!(read.game.moves().last(), Some(&mv), "{saved}");
        assert_eq!(read.notes.len(), self.document.notes.len() + 1, "{saved}");
    }
}
