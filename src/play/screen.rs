//! What a person sees: lines that fit the terminal, and colours where they are wanted.

use console::{Style, Term, measure_text_width};
use std::io::{self, IsTerminal, Write};

/// Characters of a line where nobody says how wide the screen is.
const WIDTH: usize = 80;
/// No line is filled further: long lines are hard to read.
const WIDEST: usize = 96;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal, unless `NO_COLOR` is set or the terminal has none.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The ways of saying something without words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// What may be chosen.
    Choice,
    /// What has grown.
    Gained,
    /// What was captured.
    Taken,
    /// A pit with more than twelve seeds.
    Kroo,
    /// What matters less.
    Faint,
    /// What matters most.
    Strong,
    /// What was wrong.
    Wrong,
}

/// The output.
pub struct Screen {
    out: Box<dyn Write>,
    colours: bool,
    term: Option<Term>,
    /// Whether somebody waits at a keyboard to be asked.
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

    /// Columns that there are.
    #[must_use]
    pub fn width(&self) -> usize {
        let size = self.term.as_ref().and_then(Term::size_checked);
        size.map_or(WIDTH, |(_, columns)| usize::from(columns).max(20))
    }

    /// Whether somebody is asked and watches the answers come.
    #[must_use]
    pub fn prompts(&self) -> bool {
        self.prompts
    }

    /// A text in a colour, if there are colours.
    #[must_use]
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        let style = match paint {
            Paint::Choice => Style::new().cyan(),
            Paint::Gained => Style::new().green(),
            Paint::Taken => Style::new().red().bold(),
            Paint::Kroo => Style::new().yellow().bold(),
            Paint::Faint => Style::new().dim(),
            Paint::Strong => Style::new().bold(),
            Paint::Wrong => Style::new().red(),
        };
        style.force_styling(self.colours).apply_to(text).to_string()
    }

    /// A sentence or more, filled into lines.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        let lines = filled(text, self.width().min(WIDEST));
        lines.into_iter().try_for_each(|line| self.line(&line))
    }

    /// What was wrong.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn wrong(&mut self, text: &str) -> io::Result<()> {
        for line in filled(text, self.width().min(WIDEST)) {
            let line = self.paint(Paint::Wrong, &line);
            self.line(&line)?;
        }
        Ok(())
    }

    /// A line as it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{}", line.trim_end())?;
        self.out.flush()
    }

    /// Asks for a command, if there is somebody to be asked.
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

    /// Ends the line of a prompt to which no answer came.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end_prompt(&mut self) -> io::Result<()> {
        if self.prompts { self.line("") } else { Ok(()) }
    }
}

/// A text in lines of so many characters; what is indented stays so, and is indented as much in its further lines.
fn filled(text: &str, width: usize) -> Vec<String> {
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
    fn lines_are_filled_to_the_width() {
        assert_eq!(filled("one two three", 7), ["one two", "three"]);
        assert_eq!(filled("  one two three\n\nfour", 9), ["  one two", "  three", "", "four"]);
        assert_eq!(filled("extraordinary day", 5), ["extraordinary", "day"]);
        assert_eq!(filled("", 5), Vec::<String>::new());
    }
}
