//! The environment variables of a queue.

/// The variable with the broker's password: other users can read command lines.
pub const PASSWORD_VARIABLE: &str = "KROO_QUEUE_PASSWORD";
/// The variable with the path of a file that has the password.
pub const PASSWORD_FILE_VARIABLE: &str = "KROO_QUEUE_PASSWORD_FILE";
/// The variable with the file of the authorities (certificates, PEM) that a broker's certificate is believed by. Without it those
/// of the system count.
pub const CA_VARIABLE: &str = "KROO_QUEUE_CA";
