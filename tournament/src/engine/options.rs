//! Options are set only as the engine declares them.

use kroo::game::Variant;
use kroo::printable;
use kroo::protocol::{Command, OptionKind, OptionLine, nearest};

/// The option that chooses the rules.
pub const VARIANT: &str = "UCI_Variant";

/// The option for the move at which the stores decide.
pub const MOVE_LIMIT: &str = "MoveLimit";

/// The names of options that take a random seed.
const SEEDS: [&str; 3] = ["Seed", "RandomSeed", "Random Seed"];

/// An option that takes a random seed, as declared by an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedOption {
    name: String,
    min: i64,
    max: i64,
}

impl SeedOption {
    /// The option of an engine that takes a random seed, if it has one.
    pub fn of(declared: &[OptionLine]) -> Option<SeedOption> {
        declared.iter().find_map(|line| match line.kind {
            OptionKind::Spin { min, max, .. }
                if min < max && SEEDS.iter().any(|name| line.name.eq_ignore_ascii_case(name)) =>
            {
                Some(SeedOption { name: line.name.clone(), min, max })
            }
            _ => None,
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The command that sets it to a seed, reduced to its range.
    pub fn set(&self, seed: u64) -> Command {
        let values = self.max.abs_diff(self.min).saturating_add(1);
        let value = self.min.saturating_add_unsigned(seed % values);
        Command::SetOption { name: self.name.clone(), value: Some(value.to_string()) }
    }
}

/// The command that sets an option, or why it cannot be set.
pub fn set(declared: &[OptionLine], name: &str, value: &str) -> Result<Command, String> {
    let found = declared.iter().find(|line| line.name.eq_ignore_ascii_case(name));
    let line = found.ok_or_else(|| {
        let names = declared.iter().map(|line| line.name.as_str());
        let meant =
            nearest(name, names).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        format!("option `{name}` is not sent: the engine has no such option{meant}")
    })?;
    let value = accepted(&line.kind, value.trim()).map_err(|expected| {
        format!("option `{}` is not sent: `{}` is not {expected}", line.name, printable::line(value))
    })?;
    Ok(Command::SetOption { name: line.name.clone(), value })
}

/// The options that choose a game, with their values: its name if the engine lists it, or else the rule set, the seeds and the
/// optional rules one by one. An engine without the option [`VARIANT`] is taken to play it.
pub fn rules(declared: &[OptionLine], variant: Variant) -> Vec<(&'static str, String)> {
    let Some(line) = declared.iter().find(|line| line.name.eq_ignore_ascii_case(VARIANT)) else {
        return Vec::new();
    };
    let (rule_set, options) = (variant.rule_set(), variant.options());
    if variant == rule_set || accepted(&line.kind, variant.name()).is_ok() {
        return vec![(VARIANT, variant.name().to_owned())];
    }
    let mut rules = vec![(VARIANT, rule_set.name().to_owned())];
    if variant.seeds_a_pit() != rule_set.seeds_a_pit() {
        rules.push(("Seeds", variant.seeds_a_pit().to_string()));
    }
    if options.empty_capture {
        rules.push(("EmptyCapture", "true".to_owned()));
    }
    if options.rest_to_opponent {
        rules.push(("RemainingSeeds", "opponent".to_owned()));
    }
    rules
}

/// The commands that choose a game, or why it cannot be chosen.
pub fn rules_to_set(declared: &[OptionLine], variant: Variant) -> Result<Vec<Command>, String> {
    rules(declared, variant).iter().map(|(name, value)| set(declared, name, value)).collect()
}

/// The value to send, or the expected values.
fn accepted(kind: &OptionKind, value: &str) -> Result<Option<String>, String> {
    let same = |text: &&String| text.eq_ignore_ascii_case(value);
    match kind {
        OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
            Ok(number) if (*min..=*max).contains(&number) => Ok(Some(number.to_string())),
            _ => Err(format!("a number from {min} to {max}")),
        },
        OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
            value @ ("true" | "false") => Ok(Some(value.to_owned())),
            _ => Err("true or false".to_owned()),
        },
        OptionKind::Combo { vars, .. } => {
            let var = vars.iter().find(same).ok_or_else(|| format!("one of {}", vars.join(", ")))?;
            Ok(Some(var.clone()))
        }
        OptionKind::Button if value.is_empty() => Ok(None),
        OptionKind::Button => Err("empty: a button has no value".to_owned()),
        OptionKind::String { .. } if value.contains(char::is_control) => {
            Err("a single line of text".to_owned())
        }
        OptionKind::String { .. } => Ok(Some(value.to_owned())),
    }
}
