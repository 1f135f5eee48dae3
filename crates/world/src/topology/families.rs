//! The links of the families that need no chance.

use super::Node;

/// Links, each once.
pub type Links = Vec<(Node, Node)>;

/// One after the other.
pub fn path(nodes: u32) -> Links {
    (1..nodes).map(|node| (node - 1, node)).collect()
}

/// All around node 0.
pub fn star(nodes: u32) -> Links {
    (1..nodes).map(|node| (0, node)).collect()
}

/// Everybody with everybody.
pub fn complete(nodes: u32) -> Links {
    (0..nodes).flat_map(|node| (node + 1..nodes).map(move |other| (node, other))).collect()
}

/// Everybody with the next in its row and in its column.
pub fn grid(rows: u32, columns: u32) -> Links {
    let right = (0..rows * columns).filter(|node| (node + 1) % columns != 0).map(|node| (node, node + 1));
    let down = (0..(rows - 1) * columns).map(|node| (node, node + columns));
    right.chain(down).collect()
}

/// A grid with the ends of rows and columns joined, where that makes a new link.
pub fn torus(rows: u32, columns: u32) -> Links {
    let mut links = grid(rows, columns);
    if columns > 2 {
        links.extend((0..rows).map(|row| (row * columns, (row + 1) * columns - 1)));
    }
    if rows > 2 {
        links.extend((0..columns).map(|column| (column, (rows - 1) * columns + column)));
    }
    links
}

/// Numbers that differ in one bit.
pub fn hypercube(dimensions: u32) -> Links {
    let up = |node: u32| (0..dimensions).map(move |bit| (node, node | 1 << bit)).filter(|(node, far)| node != far);
    (0..1 << dimensions).flat_map(up).collect()
}

/// Everybody with its parent in the heap.
pub fn binary_tree(nodes: u32) -> Links {
    (1..nodes).map(|node| ((node - 1) / 2, node)).collect()
}
