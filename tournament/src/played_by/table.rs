//! The groups as a table, and what is remarkable about them.

use super::count::{GroupCounts, GroupLine};
use super::group::GroupBy;
use kroo::printable;
use std::fmt::Write;

/// The most groups of a table at the end of a match.
const MAX_LINES: usize = 40;

/// Who has played what, for the end of a match; nothing if it was only one.
#[must_use]
pub fn table(counts: &GroupCounts) -> String {
    if !counts.has_several() {
        return String::new();
    }
    let lines = counts.lines();
    let mut text = String::from("\n");
    let shown: Vec<&GroupLine> = if lines.len() > MAX_LINES {
        let _ = writeln!(text, "Played on {} machines. Outliers:", lines.len());
        lines.iter().filter(|line| line.is_outlier()).collect()
    } else {
        lines.iter().collect()
    };
    if !shown.is_empty() {
        rows(&mut text, counts.by(), &shown);
    }
    remarks(&mut text, counts.by(), &lines);
    if lines.iter().any(GroupLine::is_outlier) {
        text.push_str(
            "All games count. `referee audit JOURNAL --exclude-outliers` shows the verdict without them.\n",
        );
    }
    text
}

/// The table, a line for each group.
pub fn rows(text: &mut String, by: GroupBy, lines: &[&GroupLine]) {
    let names: Vec<_> = lines.iter().map(|line| printable::name(&line.name)).collect();
    let title = match by {
        GroupBy::Machine => "Machine",
        GroupBy::Worker => "Worker",
        GroupBy::Processor => "Processor",
    };
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(title.len());
    let pairs: Vec<String> = lines.iter().map(|line| format!("{:?}", line.pairs)).collect();
    let wide = pairs.iter().map(String::len).max().unwrap_or(0).max("Ptnml(0-2)".len());
    let _ = writeln!(
        text,
        "{title:width$}  Workers   Games   Score  {:wide$}  Chi-square       p  Faults       p",
        "Ptnml(0-2)"
    );
    for ((line, name), pairs) in lines.iter().zip(&names).zip(&pairs) {
        let share = if line.games == 0 { 0.0 } else { 100.0 * line.points / line.games as f64 };
        let chi_square = line
            .chi_square
            .map_or("too few".to_owned(), |found| format!("{:.2} ({})", found.value, found.degrees));
        let (p, of_faults) = (shown(line.probability), shown(line.fault_probability));
        let _ = writeln!(
            text,
            "{name:width$}  {:7} {:7} {share:6.2}%  {pairs:wide$}  {chi_square:>10} {p:>7} {:7} {of_faults:>7}",
            line.workers, line.games, line.faults
        );
    }
    text.push_str(
        "Score: of the first engine of each pairing. p: the probability of such a difference from the others (but for worse outliers)\n\
         by chance, with respect to how many were tested (Holm). In parentheses: the degrees of freedom\n",
    );
}

/// A line for everything that is remarkable.
pub fn remarks(text: &mut String, by: GroupBy, lines: &[GroupLine]) {
    for line in lines {
        let name = printable::name(&line.name);
        if line.differs() {
            let _ = writeln!(
                text,
                "Audit: {name}: its results differ from those of the others (p {})",
                shown(line.probability)
            );
        }
        if line.has_faults() {
            let _ = writeln!(
                text,
                "Audit: {name}: engines fail there more often than elsewhere: {} of {} games (p {})",
                line.faults,
                line.games,
                shown(line.fault_probability)
            );
        }
    }
    if lines.len() == 2 && lines.iter().any(GroupLine::differs) {
        let _ =
            writeln!(text, "Audit: of two it cannot be told which one is wrong: a third {} would", by.name());
    }
}

fn shown(probability: Option<f64>) -> String {
    match probability {
        None => String::new(),
        Some(probability) if probability < 0.0001 => format!("{probability:.0e}"),
        Some(probability) => format!("{probability:.4}"),
    }
}
