//! Command lines and their output: in the README, in the pages of docs, and for wrong input.
//!
//! `TRYCMD=overwrite cargo test -p bellwether --test suite console` updates the expected output; check the difference.

#[test]
fn what_is_shown_is_what_is_printed() {
    let cases = trycmd::TestCases::new();
    cases.env("COLUMNS", "100");
    cases.case("../../README.md");
    for page in ["tutorial", "measuring", "checking", "lease", "member", "live", "reference", "lectures", "teaching"] {
        cases.case(format!("../../docs/{page}.md"));
    }
    cases.case("tests/cmd/*.trycmd").case("../errata/printed/*/*.md");
}
