//! A simple model of the six games: plain arrays, one seed at a time.
//!
//! Property tests compare the optimised code with this slow model, which shares nothing with it.
//!
//! Pits are numbered 0 to 11 in sowing order: South's A to F, then North's a to f. Sides are 0
//! (South) and 1 (North).

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    Awari,
    Awari1978,
    Ayoayo,
    Oware,
    Kalah,
    Avalanche,
}

impl Rules {
    /// Every rule set.
    pub const ALL: [Rules; 6] =
        [Rules::Awari, Rules::Awari1978, Rules::Ayoayo, Rules::Oware, Rules::Kalah, Rules::Avalanche];

    /// The rule set of that name, or with a name that begins with it: `kalahlittle` is played as `kalah`, with other seeds.
    /// Panics if there is none.
    pub fn named(name: &str) -> Rules {
        let mut found = None;
        for rules in Rules::ALL {
            if rules.name() == name {
                return rules;
            }
            if name.starts_with(rules.name()) {
                found = Some(rules);
            }
        }
        found.unwrap_or_else(|| panic!("no rule set is called {name:?}"))
    }

    pub fn name(self) -> &'static str {
        match self {
            Rules::Awari => "awari",
            Rules::Awari1978 => "awari1978",
            Rules::Ayoayo => "ayoayo",
            Rules::Oware => "oware",
            Rules::Kalah => "kalah",
            Rules::Avalanche => "avalanche",
        }
    }

    pub fn seeds(self) -> u32 {
        match self {
            Rules::Awari1978 => 36,
            _ => 48,
        }
    }
}

/// A game in progress, or finished.
#[derive(Clone, Debug)]
pub struct Naive {
    pub rules: Rules,
    pub pits: [u32; 12],
    pub stores: [u32; 2],
    /// Half of the game's seeds, which need not all be there.
    half: u32,
    /// The side to move, or that would be: 0 South, 1 North.
    pub side: usize,
    /// `awari1978`: the next move is the second of its turn.
    pub second: bool,
    /// The result, if the game is over: 1 South won, 0 a draw, -1 North won.
    pub result: Option<i32>,
    /// `oware`: whether a repetition ends the game.
    pub repetition: bool,
    /// `ayoayo`: a sowing of more laps is never-ending.
    pub lap_limit: u32,
    /// `kalah`: the last seed in an own empty pit is captured even if the opposite pit is empty.
    pub empty_capture: bool,
    /// `kalah`: the seeds left in a row at the end go to the other side.
    pub rest_to_opponent: bool,
    /// The pits of the last captures, and the seeds they held.
    pub taken: Vec<(usize, u32)>,
    /// `oware`: board and side to move of every position since the last capture.
    history: Vec<([u32; 12], usize)>,
}

impl Naive {
    /// The opening position.
    pub fn start(rules: Rules) -> Naive {
        let mut game = Naive::empty(rules);
        game.pits = [rules.seeds() / 12; 12];
        game.settle();
        game
    }

    /// Reads the fifteen fields; panics on anything else. The seeds need not add up. A finished set-up is settled.
    pub fn parse(rules: Rules, text: &str) -> Naive {
        Naive::parse_of(rules, rules.seeds(), text)
    }

    /// The same for a game with another number of seeds.
    pub fn parse_of(rules: Rules, seeds: u32, text: &str) -> Naive {
        Naive::empty(rules).read(seeds, text)
    }

    /// The same for a game with optional rules, which its name says, such as `kalah6-emptycapture-opponent`.
    pub fn parse_game(name: &str, seeds: u32, text: &str) -> Naive {
        let mut game = Naive::empty(Rules::named(name));
        game.empty_capture = name.contains("-emptycapture");
        game.rest_to_opponent = name.contains("-opponent");
        game.read(seeds, text)
    }

    fn read(self, seeds: u32, text: &str) -> Naive {
        let mut game = self;
        let rules = game.rules;
        let fields: Vec<&str> = text.split('-').collect();
        assert_eq!(fields.len(), 15, "not fifteen fields: {text:?}");
        let number = |field: usize| -> u32 {
            let digits = fields[field];
            assert!(
                !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
                "not a number: {digits:?} in {text:?}"
            );
            digits.parse().expect("a number that fits")
        };
        for pit in 0..12 {
            game.pits[pit] = number(pit);
        }
        game.stores = [number(12), number(13)];
        game.half = seeds / 2;
        (game.side, game.second) = match fields[14] {
            "S" => (0, false),
            "N" => (1, false),
            "S2" if rules == Rules::Awari1978 => (0, true),
            "N2" if rules == Rules::Awari1978 => (1, true),
            other => panic!("not a side to move: {other:?} in {text:?}"),
        };
        game.settle();
        game
    }

    /// The same game with another limit of laps, and settled again.
    pub fn with_lap_limit(mut self, limit: u32) -> Naive {
        self.lap_limit = limit;
        if self.rules == Rules::Ayoayo {
            self.result = None;
            self.settle();
        }
        self
    }

    /// The fifteen fields.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for number in self.pits.iter().chain(&self.stores) {
            text += &format!("{number}-");
        }
        text.push(if self.side == 0 { 'S' } else { 'N' });
        if self.second {
            text.push('2');
        }
        text
    }

    /// The legal moves, 0 to 5 from the mover's left; none when the game is over.
    pub fn legal(&self) -> Vec<usize> {
        match self.result {
            Some(_) => Vec::new(),
            None => self.moves(),
        }
    }

    /// Plays a legal move, and ends the game if it is over.
    pub fn play(&mut self, pit: usize) {
        assert!(
            self.legal().contains(&pit),
            "pit {pit} cannot be played in {} {}",
            self.rules.name(),
            self.text()
        );
        self.make(pit);
        self.settle();
    }

    /// The number of legal move sequences of that length, without oware's repetition rule.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sequences = 0;
        for pit in self.legal() {
            let mut next = self.clone();
            next.repetition = false;
            next.play(pit);
            sequences += next.perft(depth - 1);
        }
        sequences
    }

    /// No seeds, South to move, not settled.
    fn empty(rules: Rules) -> Naive {
        Naive {
            rules,
            pits: [0; 12],
            stores: [0; 2],
            half: rules.seeds() / 2,
            side: 0,
            second: false,
            result: None,
            repetition: true,
            lap_limit: 4096,
            empty_capture: false,
            rest_to_opponent: false,
            taken: Vec::new(),
            history: Vec::new(),
        }
    }

    /// The moves of the side to move, even if the game is over.
    fn moves(&self) -> Vec<usize> {
        let all: Vec<usize> =
            (0..6).filter(|&pit| self.pits[self.side * 6 + pit] > 0 && self.finite(pit)).collect();
        if self.row(1 - self.side) > 0 {
            return all;
        }
        let feeding: Vec<usize> = all.iter().copied().filter(|&pit| self.feeds(pit)).collect();
        match self.rules {
            Rules::Awari | Rules::Oware => feeding,
            Rules::Ayoayo if !feeding.is_empty() => feeding,
            Rules::Ayoayo | Rules::Awari1978 | Rules::Kalah | Rules::Avalanche => all,
        }
    }

    /// Whether the sowing from that pit ends.
    fn finite(&self, pit: usize) -> bool {
        self.rules != Rules::Ayoayo || self.clone().relay(self.side * 6 + pit).is_some()
    }

    /// Whether a move gives seeds to an opponent without any: in awari and oware by its sowing, whatever it captures
    /// afterwards; in ayoayo in total.
    fn feeds(&self, pit: usize) -> bool {
        let mut after = self.clone();
        match self.rules {
            Rules::Awari | Rules::Oware => {
                let from = self.side * 6 + pit;
                after.sow(from, from);
            }
            _ => after.make(pit),
        }
        after.row(1 - self.side) > 0
    }

    /// Sows, captures, and passes the turn.
    fn make(&mut self, pit: usize) {
        let from = self.side * 6 + pit;
        match self.rules {
            Rules::Awari => self.make_awari(from),
            Rules::Awari1978 => self.make_awari1978(from),
            Rules::Ayoayo => self.make_ayoayo(from),
            Rules::Oware => self.make_oware(from),
            Rules::Kalah => self.make_kalah(from),
            Rules::Avalanche => self.make_avalanche(from),
        }
    }

    fn make_awari(&mut self, from: usize) {
        let mover = self.side;
        let last = self.sow(from, from);
        let run = self.run(last);
        for &pit in &run {
            self.capture(pit);
        }
        self.side = 1 - mover;
        // The win by capturing everything belongs to the move, and comes after the stores are checked.
        if !run.is_empty() && self.row(1 - mover) == 0 && !self.decided() {
            self.result = Some(if mover == 0 { 1 } else { -1 });
        }
    }

    fn make_oware(&mut self, from: usize) {
        let last = self.sow(from, from);
        let run = self.run(last);
        let prey: u32 = run.iter().map(|&pit| self.pits[pit]).sum();
        // A grand slam captures nothing.
        if prey < self.row(1 - self.side) && prey > 0 {
            for &pit in &run {
                self.capture(pit);
            }
            self.history.clear();
        }
        self.side = 1 - self.side;
    }

    fn make_ayoayo(&mut self, from: usize) {
        let last = self.relay(from).expect("a never-ending sowing is not a move");
        if last / 6 == self.side {
            self.capture(11 - last);
        }
        self.side = 1 - self.side;
    }

    fn make_awari1978(&mut self, from: usize) {
        let last = self.sow_with_stores(from, None);
        // On either side of the board.
        if let Some(pit) = last.pit()
            && self.pits[pit] == 1
            && self.pits[11 - pit] > 0
        {
            self.capture(pit);
            self.capture(11 - pit);
        }
        self.second = last == Cell::Store(self.side) && !self.second;
        if !self.second {
            self.side = 1 - self.side;
        }
    }

    fn make_kalah(&mut self, from: usize) {
        let last = self.sow_with_stores(from, Some(Cell::Store(1 - self.side)));
        // On the mover's own side only.
        if let Some(pit) = last.pit()
            && pit / 6 == self.side
            && self.pits[pit] == 1
            && (self.empty_capture || self.pits[11 - pit] > 0)
        {
            self.capture(pit);
            self.capture(11 - pit);
        }
        if last != Cell::Store(self.side) {
            self.side = 1 - self.side;
        }
    }

    fn make_avalanche(&mut self, from: usize) {
        let mover = self.side;
        let mut last = self.sow_with_stores(from, Some(Cell::Store(1 - mover)));
        while let Some(pit) = last.pit()
            && self.pits[pit] > 1
        {
            last = self.sow_with_stores(pit, Some(Cell::Store(1 - mover)));
        }
        if last != Cell::Store(mover) {
            self.side = 1 - mover;
        }
    }

    /// Sows a pit into the following pits, except `skip`, and returns where the last seed fell.
    fn sow(&mut self, from: usize, skip: usize) -> usize {
        let mut hand = std::mem::take(&mut self.pits[from]);
        let mut at = from;
        while hand > 0 {
            at = (at + 1) % 12;
            if at != skip {
                self.pits[at] += 1;
                hand -= 1;
            }
        }
        at
    }

    /// Sows lap after lap until a last seed falls in an empty pit, and returns that; `None` if it takes too many laps.
    fn relay(&mut self, first: usize) -> Option<usize> {
        let mut from = first;
        for _lap in 0..self.lap_limit {
            let last = self.sow(from, first);
            if self.pits[last] == 1 {
                return Some(last);
            }
            from = last;
        }
        None
    }

    /// Sows a pit into the following pits and stores, except `skip`, and returns where the last seed fell.
    fn sow_with_stores(&mut self, from: usize, skip: Option<Cell>) -> Cell {
        let mut hand = std::mem::take(&mut self.pits[from]);
        let mut at = Cell::Pit(from);
        while hand > 0 {
            at = at.next();
            if Some(at) == skip {
                continue;
            }
            match at {
                Cell::Pit(pit) => self.pits[pit] += 1,
                Cell::Store(side) => self.stores[side] += 1,
            }
            hand -= 1;
        }
        at
    }

    /// The opponent's pits of 2 or 3 from the last one sown backwards, up to the first other one.
    fn run(&self, last: usize) -> Vec<usize> {
        let mut run = Vec::new();
        let mut at = last;
        while at / 6 != self.side && (self.pits[at] == 2 || self.pits[at] == 3) {
            run.push(at);
            at = (at + 11) % 12;
        }
        run
    }

    /// Moves a pit's seeds to the store of the side to move.
    fn capture(&mut self, pit: usize) {
        self.taken.push((pit, self.pits[pit]));
        self.stores[self.side] += std::mem::take(&mut self.pits[pit]);
    }

    /// The captures of each of a side's legal moves, were it to move.
    pub fn prey(&self, side: usize) -> Vec<Vec<(usize, u32)>> {
        let asked = Naive { side, second: false, result: None, taken: Vec::new(), ..self.clone() };
        let moves = asked.moves().into_iter();
        moves
            .map(|pit| {
                let mut after = asked.clone();
                after.make(pit);
                after.taken.into_iter().filter(|&(pit, _)| pit / 6 != side).collect()
            })
            .collect()
    }

    /// The seeds in a side's row.
    fn row(&self, side: usize) -> u32 {
        self.pits[side * 6..side * 6 + 6].iter().sum()
    }

    /// Awari and oware: one store holds more than half of the seeds, or each holds half.
    fn decided(&self) -> bool {
        self.stores[0] > self.half || self.stores[1] > self.half || self.stores == [self.half; 2]
    }

    /// Ends the game if this position does.
    fn settle(&mut self) {
        if self.result.is_some() {
            return;
        }
        let (mover, other) = (self.side, 1 - self.side);
        let (own, theirs) = (self.row(mover), self.row(other));
        match self.rules {
            Rules::Awari => {
                if self.decided() || own == 0 {
                    self.end();
                } else if self.moves().is_empty() {
                    self.bank(mover); // The other row is empty already.
                    self.end();
                }
            }
            Rules::Awari1978 => {
                if own == 0 || theirs == 0 {
                    self.end();
                }
            }
            Rules::Ayoayo => {
                if own == 0 {
                    self.bank(other);
                    self.end();
                } else if self.moves().is_empty() {
                    self.end();
                }
            }
            Rules::Oware => {
                let here = (self.pits, self.side);
                let repeated = self.repetition && self.history.contains(&here);
                self.history.push(here);
                if self.decided() {
                    self.end();
                } else if repeated || self.moves().is_empty() {
                    self.bank(0);
                    self.bank(1);
                    self.end();
                }
            }
            Rules::Kalah | Rules::Avalanche => {
                if own == 0 || theirs == 0 {
                    self.bank(0);
                    self.bank(1);
                    if self.rest_to_opponent {
                        // Each has got its own row; they exchange them.
                        let row = |side: usize| if side == mover { own } else { theirs };
                        self.stores[0] = self.stores[0] - row(0) + row(1);
                        self.stores[1] = self.stores[1] - row(1) + row(0);
                    }
                    self.end();
                }
            }
        }
    }

    /// Moves a row to its owner's store.
    fn bank(&mut self, side: usize) {
        for pit in side * 6..side * 6 + 6 {
            self.stores[side] += std::mem::take(&mut self.pits[pit]);
        }
    }

    /// Ends the game: the larger store wins.
    fn end(&mut self) {
        self.result = Some(match self.stores[0].cmp(&self.stores[1]) {
            std::cmp::Ordering::Greater => 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => -1,
        });
    }
}

/// A place for seeds, in the games that sow into stores.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Pit(usize),
    Store(usize),
}

impl Cell {
    /// The place after this one: a row's store follows its last pit.
    fn next(self) -> Cell {
        match self {
            Cell::Pit(5) => Cell::Store(0),
            Cell::Pit(11) => Cell::Store(1),
            Cell::Pit(pit) => Cell::Pit(pit + 1),
            Cell::Store(0) => Cell::Pit(6),
            Cell::Store(_) => Cell::Pit(0),
        }
    }

    fn pit(self) -> Option<usize> {
        match self {
            Cell::Pit(pit) => Some(pit),
            Cell::Store(_) => None,
        }
    }
}

/// A move's letter: A to F for South, a to f for North.
pub fn letter(side: usize, pit: usize) -> char {
    ["ABCDEF", "abcdef"][side].chars().nth(pit).expect("a pit from 0 to 5")
}
