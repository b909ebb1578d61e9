//! The rules in a few sentences, for whoever has never seen the game. `protocol.md` has them exactly.

use crate::game::Variant;

const COMMON: &str = "Two rows of six pits, a store at either end: the one at your right hand is yours. Sowing: take up all \
seeds of a pit of your own and drop them one by one into the next pits, round the board against the clock. Whoever has \
more seeds in the store at the end wins.";

/// The rules of a game, a paragraph each.
#[must_use]
pub fn rules(variant: Variant) -> [&'static str; 4] {
    let [sowing, capturing, ending] = match variant {
        Variant::Awari => [
            "Stores are passed by, and a pit of 12 or more (a kroo) passes by itself when it comes round.",
            "If the last seed makes 2 or 3 in a pit of the other row, these are captured, and so are the 2 or 3 of the \
             pits before it, as long as there is no gap. Whoever captures everything in the other row wins at once.",
            "The rule of feeding: if the other row is empty, you must play a move that reaches it; if you have none, what \
             is left is yours and the game ends. It also ends at 25 seeds in a store, at 24 each, and when the side to \
             move has no seeds.",
        ],
        Variant::Oware => [
            "Stores are passed by, and a pit of 12 or more (a kroo) passes by itself when it comes round.",
            "If the last seed makes 2 or 3 in a pit of the other row, these are captured, and so are the 2 or 3 of the \
             pits before it, as long as there is no gap. A move that would capture everything captures nothing.",
            "The rule of feeding: if the other row is empty, you must play a move that reaches it. The game ends at 25 \
             seeds in a store, at 24 each, when there is no move, or when a position comes back with no capture in \
             between; in the last two cases each side takes its own row.",
        ],
        Variant::Ayoayo => [
            "Stores are passed by. The sowing goes on: if the last seed falls into a pit that was not empty, take up what \
             lies there and sow on, always passing by the pit you began from. It ends in an empty pit. A sowing that would \
             never end is no move.",
            "If it ends in a pit of your own row, you capture the seeds in the pit opposite; your last seed stays.",
            "The rule of feeding: if the other row is empty, you must give it seeds if you can. When the side to move has \
             none, the other takes all that is left and the game ends.",
        ],
        Variant::Awari1978 => [
            "Both stores get seeds, yours and the other's. If the last one falls into your own store, you must sow once \
             more (AGAIN?), but only once in a turn.",
            "If the last seed falls into an empty pit, on either side, and the pit opposite is not empty, you take both.",
            "When a row is empty the game is over at once, and the seeds on the board count for nobody.",
        ],
        Variant::Kalah => [
            "Your own store gets seeds, the other's is passed by. If the last one falls into your store, you sow again \
             (AGAIN?), as often as that happens.",
            "If the last seed falls into an empty pit of your own and the pit opposite is not empty, you take both.",
            "When a row is empty the game is over, and each side takes what lies in its own row.",
        ],
    };
    [COMMON, sowing, capturing, ending]
}
