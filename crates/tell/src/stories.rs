//! What can be read besides the algorithms.

/// Topics other than algorithms: the name, and the text as Markdown.
pub const STORIES: [(&str, &str); 4] = [
    ("impossibility", include_str!("../../../docs/stories/impossibility.md")),
    ("faults", include_str!("../../../docs/stories/faults.md")),
    ("uses", include_str!("../../../docs/stories/uses.md")),
    ("practice", include_str!("../../../docs/stories/practice.md")),
];

/// What is told before the list of all errata.
pub const ERRATA_STORY: &str = include_str!("../../../docs/stories/errata.md");
