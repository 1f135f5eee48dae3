//! The links of the families that are not random.

use super::Node;

/// A list of links, each once.
pub type LinkList = Vec<(Node, Node)>;

/// A path through all nodes in order.
pub fn path(nodes: u32) -> LinkList {
    (1..nodes).map(|node| (node - 1, node)).collect()
}

/// Every node linked to node 0.
pub fn star(nodes: u32) -> LinkList {
    (1..nodes).map(|node| (0, node)).collect()
}

/// All pairs of nodes.
pub fn complete(nodes: u32) -> LinkList {
    (0..nodes).flat_map(|node| (node + 1..nodes).map(move |other| (node, other))).collect()
}

/// Every node linked to the next one in its row and in its column.
pub fn grid(rows: u32, columns: u32) -> LinkList {
    let right = (0..rows * columns).filter(|node| (node + 1) % columns != 0).map(|node| (node, node + 1));
    let down = (0..(rows - 1) * columns).map(|node| (node, node + columns));
    right.chain(down).collect()
}

/// A grid with the ends of rows and columns joined, where this makes a new link.
pub fn torus(rows: u32, columns: u32) -> LinkList {
    let mut links = grid(rows, columns);
    if columns > 2 {
        links.extend((0..rows).map(|row| (row * columns, (row + 1) * columns - 1)));
    }
    if rows > 2 {
        links.extend((0..columns).map(|column| (column, (rows - 1) * columns + column)));
    }
    links
}

/// All pairs of numbers that differ in one bit.
pub fn hypercube(dimensions: u32) -> LinkList {
    let up = |node: u32| (0..dimensions).map(move |bit| (node, node | 1 << bit)).filter(|(node, far)| node != far);
    (0..1 << dimensions).flat_map(up).collect()
}

/// Every node linked to its parent in the heap.
pub fn binary_tree(nodes: u32) -> LinkList {
    (1..nodes).map(|node| ((node - 1) / 2, node)).collect()
}
