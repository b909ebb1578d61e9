//! The output: text wrapped to the terminal, and colours where they are wanted.

use crate::printable;
use console::{Style, Term, measure_text_width};
use std::io::{self, IsTerminal, Write};

/// Width of a line in characters where the output is not a terminal.
const DEFAULT_WIDTH: usize = 80;
/// Text is never wrapped at more characters than this: long lines are hard to read.
const MAX_WIDTH: usize = 96;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// A pit that can be played.
    Choice,
    /// A pit that has gained seeds.
    Gained,
    /// A pit that was captured.
    Captured,
    /// A pit with more than twelve seeds.
    Kroo,
    /// Secondary information.
    Faint,
    /// Important information.
    Strong,
    /// An error.
    Error,
}

/// The output.
pub struct Screen {
    out: Box<dyn Write>,
    colours: bool,
    term: Option<Term>,
    /// Whether a person sits at a terminal, so that there is a prompt.
    prompts: bool,
}

impl Screen {
    /// Standard output.
    #[must_use]
    pub fn new(colour: Colour) -> Screen {
        let term = io::stdout().is_terminal().then(Term::stdout);
        let barred = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|name| name.is_empty() || name == "dumb");
        let colours = match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => term.is_some() && !barred && !dumb,
        };
        let prompts = term.is_some() && io::stdin().is_terminal();
        Screen { out: Box::new(io::stdout()), colours, term, prompts }
    }

    /// Width of the terminal in columns, at least 20.
    #[must_use]
    pub fn width(&self) -> usize {
        let size = self.term.as_ref().and_then(Term::size_checked);
        size.map_or(DEFAULT_WIDTH, |(_, columns)| usize::from(columns).max(20))
    }

    /// Whether a person sits at a terminal.
    #[must_use]
    pub fn prompts(&self) -> bool {
        self.prompts
    }

    /// The text in a colour, if colours are on.
    #[must_use]
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        let style = match paint {
            Paint::Choice => Style::new().cyan(),
            Paint::Gained => Style::new().green(),
            Paint::Captured => Style::new().red().bold(),
            Paint::Kroo => Style::new().yellow().bold(),
            Paint::Faint => Style::new().dim(),
            Paint::Strong => Style::new().bold(),
            Paint::Error => Style::new().red(),
        };
        style.force_styling(self.colours).apply_to(text).to_string()
    }

    /// Prints text, wrapped to the width of the terminal. Nothing in it controls the terminal: it may repeat what somebody
    /// has typed, or what a file says.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        let lines = wrapped(&printable::lines(text), self.width().min(MAX_WIDTH));
        lines.into_iter().try_for_each(|line| self.line(&line))
    }

    /// Prints an error message, wrapped to the width of the terminal.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn wrong(&mut self, text: &str) -> io::Result<()> {
        for line in wrapped(&printable::lines(text), self.width().min(MAX_WIDTH)) {
            let line = self.paint(Paint::Error, &line);
            self.line(&line)?;
        }
        Ok(())
    }

    /// Prints a line without wrapping it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{}", line.trim_end())?;
        self.out.flush()
    }

    /// Prints the prompt, if there is a person at a terminal.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn prompt(&mut self) -> io::Result<()> {
        if self.prompts {
            let sign = self.paint(Paint::Strong, "> ");
            write!(self.out, "{sign}")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Ends the line of a prompt that got no answer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end_prompt(&mut self) -> io::Result<()> {
        if self.prompts { self.line("") } else { Ok(()) }
    }
}

/// Wraps text into lines of at most `width` characters. An indented paragraph stays indented in all its lines.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let indent = paragraph.len() - paragraph.trim_start().len();
        let mut line = " ".repeat(indent);
        let mut is_blank = true;
        for word in paragraph.split_whitespace() {
            if !is_blank && measure_text_width(&line) + 1 + measure_text_width(word) > width {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
                is_blank = true;
            }
            if !is_blank {
                line.push(' ');
            }
            line.push_str(word);
            is_blank = false;
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_to_the_width() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("  one two three\n\nfour", 9), ["  one two", "  three", "", "four"]);
        assert_eq!(wrapped("extraordinary day", 5), ["extraordinary", "day"]);
        assert_eq!(wrapped("", 5), Vec::<String>::new());
    }
}
