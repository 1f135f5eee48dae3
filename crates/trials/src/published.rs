//! Tables that several hosts must reproduce.

/// Election messages over all orders of a ring in which all nodes start: least / most / mean.
pub const MESSAGES: &str = "
    n | chang-roberts    | peterson         | dolev-klawe-rodeh   | franklin            | hirschberg-sinclair
    2 |  3 /  3 / 3      |  5 /  5 / 5      |  6 /  6 / 6         |  8 /  8 / 8         | 10 / 10 / 10
    3 |  5 /  6 / 11/2   |  8 /  8 / 8      |  9 /  9 / 9         | 12 / 12 / 12        | 23 / 23 / 23
    4 |  7 / 10 / 25/3   | 11 / 16 / 38/3   | 12 / 20 / 44/3      | 16 / 24 / 56/3      | 28 / 32 / 88/3
    5 |  9 / 15 / 137/12 | 14 / 21 / 55/3   | 15 / 25 / 65/3      | 20 / 30 / 80/3      | 49 / 55 / 158/3
    6 | 11 / 21 / 147/10 | 17 / 27 / 121/5  | 18 / 30 / 142/5     | 24 / 36 / 172/5     | 54 / 68 / 306/5
    7 | 13 / 28 / 363/20 | 20 / 32 / 269/9  | 21 / 35 / 1547/45   | 28 / 42 / 1862/45   | 59 / 78 / 1051/15
    8 | 15 / 36 / 761/35 | 23 / 46 / 745/21 | 24 / 56 / 12616/315 | 32 / 64 / 15136/315 | 64 / 89 / 8408/105";

/// The mean number of phases of itai-rodeh-sync for N nodes that draw from 1..K. PRISM found these values in its case
/// study `leader_sync`.
pub const LEADER_SYNC: [(usize, u64, &str); 9] = [
    (3, 2, "4/3"),
    (3, 3, "9/8"),
    (3, 4, "16/15"),
    (4, 2, "2"),
    (4, 3, "27/20"),
    (4, 4, "32/27"),
    (5, 2, "16/5"),
    (5, 3, "27/20"),
    (5, 4, "256/225"),
];

/// Computes every cell of a table, and compares line by line.
pub fn compare(table: &str, cell: impl Fn(&str, usize) -> String) {
    let mut rows = table.trim().lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let algorithms = rows.next().unwrap().split_off(1);
    for row in rows {
        let n = row[0].parse().unwrap();
        let expected: Vec<String> = row[1..].iter().map(|cell| cell.split_whitespace().collect()).collect();
        let computed: Vec<String> = algorithms.iter().map(|algorithm| cell(algorithm, n).replace(' ', "")).collect();
        assert_eq!(computed, expected, "n = {n}");
    }
}
