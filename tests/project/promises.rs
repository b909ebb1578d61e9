//! The promises of SECURITY.md, with the tests that show them.

use super::documents::root;
use std::fs;

/// The promises of SECURITY.md: who cannot do what, and the tests that show it, by a module and the beginning of a name.
const PROMISES: &[(&str, &str, &[&str])] = &[
    ("a job", "reach the machine of a worker with its defaults", &["queue attacks::a_job_writes_no_file"]),
    ("a job", "choose a folder with `dir=`, also with `--no-sandbox`", &["queue attacks::without_a_sandbox"]),
    (
        "an engine",
        "find the broker's password in the environment",
        &["queue attacks::a_process_with_the_password"],
    ),
    ("a user", "read the password in a command line", &["queue attacks::a_password_in_a_command_line"]),
    ("a network", "read a password by default", &["queue attacks::plain_text"]),
    ("a user of a queue", "use another queue", &["queue rights::users_have_rights_in_their_queues"]),
    (
        "a journal",
        "start a program when it is merged",
        &["matches records::forged::a_journal_that_is_merged"],
    ),
    ("a record", "contradict its moves or the rules", &["matches records::forged"]),
    ("a job, a batch or a record", "crash its reader", &["referee queue_readers"]),
    (
        "a user, a network",
        "use a page without its address",
        &[
            "executable web::every_address_wants_the_token",
            "matches reports::watch::every_address_wants_the_token",
        ],
    ),
    (
        "a page of another site",
        "use a page, or read an answer",
        &["executable web::foreign_pages_are_refused"],
    ),
    (
        "the page of `kroo web`",
        "read or make files",
        &["executable web::page_engines::a_page_reads_no_files"],
    ),
    (
        "the page of `kroo web`",
        "send more than commands",
        &["executable web::page_engines::a_page_sets_options"],
    ),
    ("an engine", "leave processes behind", &["matches containment::leftovers"]),
    ("an engine", "use open files of its starter", &["executable web::page_engines::an_engine_inherits"]),
    (
        "an engine",
        "be another program than the one that was hashed",
        &[
            "matches containment::replaced::a_script_that_was_replaced",
            "matches containment::replaced::a_program_that_is_open",
        ],
    ),
    ("an engine", "raise its limits", &["matches containment::confinement::files_and_processes"]),
    (
        "an engine in a sandbox",
        "reach network, processes, namespaces, mounts, keys, files of others, or leave set-ID programs",
        &[
            "matches containment::confinement::in_a_sandbox",
            "matches containment::sandbox::an_engine_in_a_sandbox_attacks_in_vain",
        ],
    ),
    (
        "an engine in a sandbox",
        "gain anything by a link",
        &[
            "matches containment::sandbox::links_between_two_processes",
            "matches containment::sandbox::a_folder_to_write_holds_no_folder",
        ],
    ),
    (
        "an engine in a sandbox",
        "change files of `read=`",
        &["matches containment::confinement::other_files_are_bound"],
    ),
];

#[test]
fn what_security_promises_is_tested() {
    for (who, what, tests) in PROMISES {
        assert!(!tests.is_empty(), "{who}: {what}");
        for test in *tests {
            let (program, place) = test.split_once(' ').unwrap_or_else(|| panic!("{test}"));
            let file_of =
                |module: &str| root().join(format!("tests/{program}/{}.rs", module.replace("::", "/")));
            let (file, name) = match place.rsplit_once("::") {
                Some((module, name)) if !file_of(place).exists() => (file_of(module), format!("\nfn {name}")),
                _ => (file_of(place), "\nfn ".to_owned()),
            };
            let text = fs::read_to_string(&file)
                .unwrap_or_else(|error| panic!("{test}: {}: {error}", file.display()));
            assert!(text.contains(&name), "{who} cannot {what}: no such test in {}: {test}", file.display());
        }
    }
}
