//! The grammar of the protocol: values round-trip, errors have their places, and no text does harm.

mod options;
mod spellings;
mod strategies;

use kroo::protocol::options::{Settings, set};
use kroo::protocol::{COMMANDS, Command, Dialect, GameResult, GoCommand, Reply, Text};
use proptest::prelude::*;
use strategies::{command, garbage, reply};

proptest! {
    #[test]
    fn a_printed_command_is_read_back(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(Command::parse(&line), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn a_command_in_the_words_of_ugi_is_read_back(mut command in command()) {
        if let Command::Go(GoCommand::Search(limits)) = &mut command
            && limits.wtime.or(limits.btime).is_some()
        {
            // All four numbers are printed, except a missing number of moves.
            (limits.movestogo, limits.winc) = (None, limits.winc.or(Some(0)));
            limits.binc = limits.binc.or(Some(0));
            (limits.wtime, limits.btime) = (limits.wtime.or(limits.btime), limits.btime.or(limits.wtime));
        }
        let line = Dialect::Ugi.write(&command).to_string();
        prop_assert_eq!(Command::parse(&line), Ok(Some(command)), "{}", line);
        prop_assert!(!line.contains("wtime") && !line.starts_with("ucinewgame"), "{}", line);
    }

    #[test]
    fn a_printed_reply_is_read_back(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(Reply::parse(&line), Ok(reply), "{}", line);
    }

    #[test]
    fn a_line_may_have_an_end_and_blanks_around_it(command in command(), reply in reply()) {
        prop_assert_eq!(Command::parse(&format!("\t {command} \t\r\n")), Ok(Some(command)));
        if !matches!(reply, Reply::Text(_)) {
            prop_assert_eq!(Reply::parse(&format!(" \t{reply}\t \r\n")), Ok(reply));
        }
    }

    #[test]
    fn no_text_does_harm(line in garbage()) {
        let mut settings = Settings::default();
        let errors = [
            Command::parse(&line).err().map(|error| error.to_string()),
            Reply::parse(&line).err().map(|error| error.to_string()),
            Text::new(&line).err().map(|error| error.to_string()),
            line.parse::<GameResult>().err().map(|error| error.to_string()),
            set(&mut settings, &line, None).err().map(|error| error.to_string()),
            set(&mut settings, "uci_variant", Some(&line)).err().map(|error| error.to_string()),
        ];
        for error in errors.into_iter().flatten() {
            prop_assert!(error.len() < 400, "{} bytes: {}", error.len(), error);
            prop_assert!(!error.chars().any(char::is_control), "{:?}", error);
            prop_assert!(!error.contains("expected ,"), "{}", error);
        }
    }

    #[test]
    fn an_accepted_command_is_printed_as_the_same_command(line in garbage()) {
        if let Ok(Some(command)) = Command::parse(&line) {
            prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
        }
    }

    #[test]
    fn an_info_line_is_never_wrong(rest in "[^\n]{0,80}", words in garbage()) {
        for rest in [rest, words.replace('\n', " ")] {
            let line = format!("info {rest}");
            let reply = Reply::parse(&line);
            prop_assert!(matches!(reply, Ok(Reply::Info(_))), "{:?}", reply);
            prop_assert_eq!(reply.clone().and_then(|reply| Reply::parse(&reply.to_string())), reply);
        }
    }
}

#[test]
fn every_line_of_the_help_can_be_printed() {
    for (usage, what) in COMMANDS {
        let line = format!("{usage:<40} {what}");
        assert!(Text::new(&line).is_ok(), "{line}");
    }
}

#[test]
fn an_unknown_command_is_answered_with_all_commands() {
    let error = Command::parse("hello").expect_err("there is no such command");
    for (usage, _) in COMMANDS {
        let name = usage.split(' ').next().expect("a usage begins with a name");
        assert!(error.expected.contains(&format!("`{name}`")), "{error}");
    }
}
