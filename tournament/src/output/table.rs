//! Tables: the standings, the engines against each other, and the parameters of a tuning run. The screen and the pages show the
//! same ones.
//!
//! Those of pages are templates of horrorshow, which escapes all text that is not marked as raw. It is made of `macro_rules` only:
//! measured in a first release build, it costs one second of processor time, where maud costs 11 and askama 18.

#![expect(unused_parens, reason = "in a template of horrorshow, an expression in a loop needs them")]

use crate::ledger::results::{Standing, Summary};
use crate::statistics::{Elo, hundredths};
use horrorshow::html;
use std::iter::once;

/// A table: its titles, and rows with as many cells. One column has names, the others have numbers.
pub(super) struct Table {
    /// Its identity in a page.
    pub id: &'static str,
    pub names: usize,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Adds a column of numbers.
    pub fn add(&mut self, title: &str, cells: impl Iterator<Item = String>) {
        let cells = once(title.to_owned()).chain(cells);
        self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }

    /// As text: names begin at the left, numbers end at the right.
    pub fn text(&self) -> String {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.rows[0].len()).filter_map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column == self.names { format!("{cell:width$}") } else { format!("{cell:>width$}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        self.rows.iter().map(line).collect()
    }

    /// As a part of a page.
    pub fn html(&self) -> String {
        let class = |column: usize| (column == self.names).then_some("name");
        let shown = |column: usize, cell: &str| {
            if column == self.names { cell.to_owned() } else { printed(cell) }
        };
        html! {
            table(id = self.id) {
                tr {
                    @ for (column, title) in (self.rows[0].iter().enumerate()) {
                        th(class? = (class(column))) : title;
                    }
                }
                @ for row in (&self.rows[1..]) {
                    tr {
                        @ for (column, cell) in (row.iter().enumerate()) {
                            td(class? = (class(column))) : shown(column, cell);
                        }
                    }
                }
            }
        }
        .to_string()
    }
}

/// A number as it is printed in a page, with the signs of print.
pub(super) fn printed(number: &str) -> String {
    number.replace("+/-", "±").replace('-', "−")
}

/// All engines, the best first.
pub(super) fn standings(summary: &Summary) -> Table {
    let has_ranks = summary.engines.iter().any(|standing| standing.rank.is_some());
    let head = [
        if has_ranks { "Rank" } else { "" },
        "Name",
        "Points",
        "Games",
        "Wins",
        "Draws",
        "Losses",
        "Score",
        "Seeds",
        "Margin",
        "Elo (95 %)",
    ];
    let elos = elos(summary);
    let row = |&engine: &usize| {
        let Standing { rank, name, totals, .. } = &summary.engines[engine];
        let numbers =
            [totals.games(), totals.wins, totals.draws, totals.losses].map(|count| count.to_string());
        let [games, wins, draws, losses] = numbers;
        vec![
            rank.map(|rank| rank.to_string()).unwrap_or_default(),
            name.clone(),
            format!("{:.1}", totals.points()),
            games,
            wins,
            draws,
            losses,
            format!("{:.2}%", 100.0 * totals.score()),
            format!("{:.2}", totals.average_seeds()),
            signed(totals.average_margin()),
            elos[engine].clone(),
        ]
    };
    let head = head.map(str::to_owned).to_vec();
    Table { id: "standings", names: 1, rows: once(head).chain(summary.score.order.iter().map(row)).collect() }
}

/// The strength of each engine: its rating; in a match of two, the difference.
fn elos(summary: &Summary) -> Vec<String> {
    if summary.engines.len() > 2 {
        return summary.engines.iter().map(Standing::rating_text).collect();
    }
    let estimate = summary.match_of_two().and_then(|games| games.estimate.as_ref());
    let elo = estimate.map(|estimate| estimate.elo());
    let shown = |elo: Option<Elo>| elo.map_or("n/a".to_owned(), |elo| elo.to_string());
    vec![shown(elo), shown(elo.map(Elo::turned))]
}

/// The points of each engine against each other one, in the order of the standings.
pub(super) fn crosstable(summary: &Summary) -> Table {
    let order = &summary.score.order;
    let cell = |one: usize, other: usize| match summary.against(one, other) {
        _ if one == other => String::new(),
        (_, 0) => ".".to_owned(),
        (points, games) => format!("{points}/{games}"),
    };
    let head =
        [String::new(), String::new()].into_iter().chain((1..=order.len()).map(|rank| rank.to_string()));
    let row = |(rank, &one): (usize, &usize)| {
        let cells = order.iter().map(|&other| cell(one, other));
        [rank.to_string(), summary.engines[one].name.clone()].into_iter().chain(cells).collect()
    };
    Table {
        id: "crosstable",
        names: 1,
        rows: once(head.collect()).chain((1..).zip(order).map(row)).collect(),
    }
}

fn signed(value: f64) -> String {
    let text = hundredths(value);
    if value >= 0.005 { format!("+{text}") } else { text }
}
