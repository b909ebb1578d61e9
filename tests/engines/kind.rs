//! The names of all ways to misbehave.

macro_rules! kinds {
    ($($kind:ident, $name:literal;)*) => {
        /// A way to misbehave.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum Kind { Honest, $($kind),* }

        impl Kind {
            /// The one with this name; any other name is honesty.
            pub fn named(name: &str) -> Kind {
                match name { $($name => Kind::$kind,)* _ => Kind::Honest }
            }
        }
    };
}

kinds! {
    Last, "last";
    Lying, "lying";
    Illegal, "illegal";
    Gloomy, "gloomy";
    OtherSide, "other-side";
    NoMove, "no-move";
    NullMove, "null-move";
    NonMove, "non-move";
    CrashAtStart, "crash-at-start";
    SilentAtUci, "silent-at-uci";
    Unready, "unready";
    Deaf, "deaf";
    AbortAtGo, "abort-at-go";
    ExitAtGo, "exit-at-go";
    SilentAtGo, "silent-at-go";
    DeafAtGo, "deaf-at-go";
    Late, "late";
    Garbage, "garbage";
    Flood, "flood";
    FloodAndMove, "flood-and-move";
    EndlessLine, "endless-line";
    LongLines, "long-lines";
    Unfinished, "unfinished";
    Twice, "twice";
    Stubborn, "stubborn";
    Parent, "parent";
    Orphaning, "orphaning";
    Escaping, "escaping";
    HangingParent, "hanging-parent";
    HangingEscaping, "hanging-escaping";
    Lingering, "lingering";
    Optionless, "optionless";
    Depthless, "depthless";
    Thoughtful, "thoughtful";
    Rambling, "rambling";
    Banner, "banner";
    DiesBetween, "dies-between";
    Chronicler, "chronicler";
    Deserting, "deserting";
    Hermit, "hermit";
    Hermits, "hermits";
    HangingHermits, "hanging-hermits";
    Littering, "littering";
    Ponderer, "ponderer";
    PonderDeaf, "ponder-deaf";
    PonderTwice, "ponder-twice";
    PonderEarly, "ponder-early";
    PonderDies, "ponder-dies";
    PonderFlood, "ponder-flood";
    PonderEndless, "ponder-endless";
    Grumbling, "grumbling";
    DiesAsSouth, "dies-as-south";
    SlowToQuit, "slow-to-quit";
    Talkative, "talkative";
    Contradicting, "contradicting";
    Awakening, "awakening";
    Stirring, "stirring";
    Resuming, "resuming";
    Overspending, "overspending";
    Suspending, "suspending";
    RivalStopping, "rival-stopping";
    ShimKilling, "shim-killing";
    ShimStopping, "shim-stopping";
    CleanupStopping, "cleanup-stopping";
    Chaining, "chaining";
    Multiplying, "multiplying";
    Noisy, "noisy";
    Greedy, "greedy";
    Inspecting, "inspecting";
    LoudlyDying, "loudly-dying";
    PipeWriting, "pipe-writing";
    Burning, "burning";
    BurningChild, "burning-child";
    Unhurried, "unhurried";
    UnhurriedLast, "unhurried-last";
}

impl Kind {
    /// Whether it tells what it expects, and ponders on that if it is asked to.
    pub fn ponders(self) -> bool {
        use Kind::{PonderDeaf, PonderDies, PonderEarly, PonderEndless, PonderFlood, PonderTwice, Ponderer};
        matches!(
            self,
            Ponderer | PonderDeaf | PonderTwice | PonderEarly | PonderDies | PonderFlood | PonderEndless
        )
    }
}
