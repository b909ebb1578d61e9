//! The output: text wrapped to the terminal, colours, and a board redrawn in place.

use super::editor::PROMPT;
use super::input::{InputEvent, InputListener};
use crate::printable;
use console::{Style, Term, measure_text_width};
use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// Width of a line in characters where the output is not a terminal.
const DEFAULT_WIDTH: usize = 80;
/// Text is never wrapped at more characters than this: long lines are hard to read.
const MAX_WIDTH: usize = 96;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    #[default]
    Auto,
    Always,
    Never,
}

/// Maximum lines of text kept under a redrawn board.
const MAX_KEPT: usize = 8;

/// The meaning of a colour.
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
    Error,
}

pub struct Screen {
    out: Box<dyn Write>,
    colours: bool,
    term: Option<Term>,
    /// Whether a person is at a terminal and needs a prompt.
    prompts: bool,
    /// For redrawing in place: the content of the terminal since the last board.
    frame: Option<Frame>,
}

/// The content of a terminal, from the first line of the board on.
#[derive(Debug, Default)]
struct Frame {
    /// Rows of the terminal that it takes; `None` before the first board.
    rows: Option<usize>,
    /// The terminal's width when the board was drawn.
    width: usize,
    /// The text since the last typed line, which is repeated under the next board.
    kept: VecDeque<String>,
}

impl Screen {
    /// Standard output. With `redraws`, each board replaces the previous one, if the terminal supports it.
    pub fn new(colour: Colour, redraws: bool) -> Screen {
        let term = io::stdout().is_terminal().then(Term::stdout);
        let barred = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|name| name.is_empty() || name == "dumb");
        let colours = match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => term.is_some() && !barred && !dumb,
        };
        let prompts = term.is_some() && io::stdin().is_terminal();
        let frame = (redraws && prompts && !dumb).then(Frame::default);
        Screen { out: Box::new(io::stdout()), colours, term, prompts, frame }
    }

    /// The displayed prompt.
    pub fn prompt_text(&self) -> String {
        self.paint(Paint::Strong, PROMPT)
    }

    /// Width of the terminal in columns, at least 20.
    pub fn width(&self) -> usize {
        let size = self.term.as_ref().and_then(Term::size_checked);
        size.map_or(DEFAULT_WIDTH, |(_, columns)| usize::from(columns).max(20))
    }

    fn height(&self) -> usize {
        self.term.as_ref().and_then(Term::size_checked).map_or(0, |(rows, _)| usize::from(rows))
    }

    /// Whether a person is at a terminal.
    pub fn prompts(&self) -> bool {
        self.prompts
    }

    /// The text in a colour, if colours are on.
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

    /// Prints text, wrapped to the width of the terminal. Control characters are escaped, because it may repeat typed text or
    /// the content of a file.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        let lines = wrapped(&printable::lines(text), self.width().min(MAX_WIDTH));
        lines.into_iter().try_for_each(|line| self.text(line))
    }

    /// Prints an error message, wrapped to the width of the terminal.
    pub fn wrong(&mut self, text: &str) -> io::Result<()> {
        for line in wrapped(&printable::lines(text), self.width().min(MAX_WIDTH)) {
            let line = self.paint(Paint::Error, &line);
            self.text(line)?;
        }
        Ok(())
    }

    /// Prints a line of text, which is kept under the next board.
    fn text(&mut self, line: String) -> io::Result<()> {
        self.line(&line)?;
        if let Some(frame) = &mut self.frame {
            frame.kept.push_back(line);
            if frame.kept.len() > MAX_KEPT {
                frame.kept.pop_front();
            }
        }
        Ok(())
    }

    /// Prints a board. It replaces the previous one, and repeats the text since then, if that is still on the terminal.
    pub fn board(&mut self, lines: &[String]) -> io::Result<()> {
        let (width, height) = (self.width(), self.height());
        let Some(frame) = &mut self.frame else {
            return lines.iter().try_for_each(|line| self.line(line));
        };
        let before = frame.rows.replace(0).filter(|&rows| rows < height && frame.width == width);
        frame.width = width;
        let kept: Vec<String> = match before {
            Some(rows) => {
                if rows > 0 {
                    write!(self.out, "\u{1b}[{rows}A")?;
                }
                write!(self.out, "\r\u{1b}[J")?;
                frame.kept.iter().cloned().collect()
            }
            None => {
                frame.kept.clear();
                Vec::new()
            }
        };
        lines.iter().chain(&kept).try_for_each(|line| self.line(line))
    }

    /// Records a typed line: earlier text is not kept under the next board.
    pub fn typed(&mut self, line: &str) {
        let rows = self.rows_of(measure_text_width(PROMPT) + measure_text_width(line));
        if let Some(frame) = &mut self.frame {
            frame.rows.iter_mut().for_each(|sum| *sum += rows);
            frame.kept.clear();
        }
    }

    /// The rows of the terminal that a line of this width takes.
    fn rows_of(&self, width: usize) -> usize {
        width.div_ceil(self.width()).max(1)
    }

    /// Prints a line without wrapping it.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        let line = line.trim_end();
        writeln!(self.out, "{line}")?;
        let rows = self.rows_of(measure_text_width(line));
        self.frame.iter_mut().filter_map(|frame| frame.rows.as_mut()).for_each(|sum| *sum += rows);
        self.out.flush()
    }

    /// Shows the prompt, if a person is at a terminal, and waits for the next event, or for a time.
    pub fn listen(&mut self, input: &InputListener, patience: Option<Duration>) -> io::Result<InputEvent> {
        let shown = input.ask();
        if self.prompts && !shown {
            write!(self.out, "{}", self.prompt_text())?;
            self.out.flush()?;
        }
        let event = input.listen(patience);
        match &event {
            InputEvent::Line(line) => self.typed(line),
            _ if self.prompts && input.is_prompt_open() => self.line("")?,
            _ => self.typed(""),
        }
        Ok(event)
    }
}

/// Wraps text into lines of at most `width` characters. An indented paragraph keeps its indentation.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
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
