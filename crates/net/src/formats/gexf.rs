//! GEXF, the format of Gephi: `<node id=".." label=".."/>` and `<edge source=".." target=".."/>`; everything else is
//! skipped.

use super::xml::Dialect;

/// The words of GEXF.
pub const DIALECT: Dialect = Dialect {
    title: "GEXF",
    root: "gexf",
    directed_graph: ("defaultedgetype", "directed"),
    directed_link: ("type", "directed"),
    has_labels: true,
};
