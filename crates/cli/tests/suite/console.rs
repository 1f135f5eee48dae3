//! Command lines and their output: in the README, in the guide, and for wrong input.
//!
//! `TRYCMD=overwrite cargo test -p bellwether --test suite console` updates the expected output; check the difference.

#[test]
fn what_is_shown_is_what_is_printed() {
    let cases = trycmd::TestCases::new();
    cases.env("COLUMNS", "100");
    cases
        .case("../../README.md")
        .case("../../docs/guide.md")
        .case("../../docs/lectures.md")
        .case("../../docs/teaching.md")
        .case("tests/cmd/*.trycmd");
    cases.case("../errata/printed/*/*.md");
}
