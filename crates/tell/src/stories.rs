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

#[cfg(test)]
mod tests {
    use bellwether_world::faults::FORMS;

    use super::*;

    #[test]
    fn the_story_of_faults_lists_the_table_of_the_parser() {
        let story = STORIES.iter().find(|(name, _)| *name == "faults").map_or("", |(_, story)| story);
        let told = story.split("```").nth(1).unwrap_or_default();
        let listed: String = FORMS.iter().map(|(form, what)| format!("{form:<18}  {what}\n")).collect();
        assert_eq!(told, format!("text\n{listed}"));
    }
}
