//! How the terminal marks words.

use anstyle::{AnsiColor, Style};

/// For what is wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// For what is right.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// For headings.
pub const BOLD: Style = Style::new().bold();
/// For what is less important.
pub const DIM: Style = Style::new().dimmed();
