//! Sweeps give the same rows on any number of threads, after a kill, and in parts. Errors are explained.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn bellwether(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(line.split(' ')).current_dir(folder).env("COLUMNS", "100");
    command
}

/// Standard output of a command that must end with this exit code.
fn stdout(folder: &Path, line: &str, code: i32) -> String {
    let Output { status, stdout, stderr } = bellwether(folder, line).output().unwrap();
    assert_eq!(status.code(), Some(code), "{line}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// The error message of a command that must be refused.
fn refusal(folder: &Path, line: &str) -> String {
    let Output { status, stdout, stderr } = bellwether(folder, line).output().unwrap();
    assert_eq!((status.code(), stdout.len()), (Some(2), 0), "{line}");
    String::from_utf8(stderr).unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Waits until a file has at least this number of lines.
fn at_least(lines: usize, path: &Path, child: &mut Child) {
    while fs::read_to_string(path).map_or(0, |text| text.lines().count()) < lines {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before");
        std::thread::yield_now();
    }
}

const FIXED: &str = "algorithm,topology,nodes,links,timing,seed,run,messages,announce,bits,time,leader,ok,";
const SWEEP: &str = "sweep chang-roberts itai-rodeh franklin --topology ring --nodes 8..64 --runs 5 --timing uniform";

#[test]
fn the_files_that_were_written_are_told() {
    let folder = TempDir::new().unwrap();
    let line = "sweep peterson --topology ring --nodes 4 --runs 1 --csv a.csv --plot a.svg";
    let Output { stderr, .. } = bellwether(folder.path(), line).output().unwrap();
    assert_eq!(String::from_utf8(stderr).unwrap(), "written a.csv, a.svg\n");
    let Output { stderr, .. } = bellwether(folder.path(), "topology ring:3 --to dot --out a.dot").output().unwrap();
    assert_eq!(String::from_utf8(stderr).unwrap(), "written a.dot\n");
}

#[test]
fn threads_and_parts_change_nothing() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let told = stdout(folder, &format!("{SWEEP} --threads 1 --csv one.csv --plot one.svg"), 0);
    let also = stdout(folder, &format!("{SWEEP} --threads 2 --csv two.csv --plot two.svg"), 0);
    let one = read(folder, "one.csv");
    assert!(one.starts_with(FIXED) && one.lines().count() == 1 + 3 * 4 * 5, "{one}");
    assert_eq!((&told, &one, read(folder, "one.svg")), (&also, &read(folder, "two.csv"), read(folder, "two.svg")));
    for part in 1..=3 {
        stdout(folder, &format!("{SWEEP} --shard {part}/3 --csv part-{part}.csv"), 0);
    }
    let merged = stdout(folder, "sweep --merge part-2.csv part-3.csv part-1.csv --csv all.csv --plot all.svg", 0);
    assert_eq!((merged, read(folder, "all.csv"), read(folder, "all.svg")), (told, one, read(folder, "one.svg")));
}

/// The seed of a run determines its faults, and these what is proved about it.
#[test]
fn parts_of_a_sweep_with_random_faults_are_merged() {
    for line in [
        "sweep lease --topology complete --nodes 3 --runs 12 --until 60 --fault random",
        "sweep bully --topology complete --nodes 4 --runs 12 --fault random",
    ] {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        let told = stdout(folder, &format!("{line} --csv one.csv"), 0);
        for part in 1..=2 {
            stdout(folder, &format!("{line} --shard {part}/2 --csv part-{part}.csv"), 0);
        }
        assert_eq!(stdout(folder, "sweep --merge part-1.csv part-2.csv --csv all.csv", 0), told);
        assert_eq!(read(folder, "all.csv"), read(folder, "one.csv"));
    }
}

/// Runs that take some milliseconds each.
const LONG: &str = "sweep le-lann --topology ring --nodes 500,501 --runs 60 --csv runs.csv";

#[test]
fn a_sweep_that_was_killed_or_interrupted_goes_on_where_it_was() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let told = stdout(folder, &LONG.replace("runs.csv", "whole.csv"), 0);
    for (signal, code) in [("KILL", None), ("INT", Some(3)), ("TERM", Some(3))] {
        let path = folder.join("runs.csv");
        let _ = fs::remove_file(&path);
        for before in [10, 30] {
            let mut child = bellwether(folder, &format!("{LONG} --resume")).stdout(Stdio::null()).spawn().unwrap();
            at_least(before, &path, &mut child);
            let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
            assert!(sent.success());
            assert_eq!(child.wait().unwrap().code(), code, "{signal}");
        }
        let kept = read(folder, "runs.csv");
        assert!(read(folder, "whole.csv").starts_with(&kept[..=kept.rfind('\n').unwrap()]), "{signal}");
        // Forgetting --resume loses nothing.
        assert!(refusal(folder, LONG).contains("go on with --resume"));
        assert_eq!(stdout(folder, &format!("{LONG} --resume"), 0), told, "{signal}");
        assert_eq!(read(folder, "runs.csv"), read(folder, "whole.csv"), "{signal}");
    }
}

#[test]
fn a_torn_line_is_dropped_wherever_it_is_torn() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    stdout(folder, &format!("{SWEEP} --csv whole.csv"), 0);
    let whole = read(folder, "whole.csv");
    let third = whole.match_indices('\n').nth(2).unwrap().0;
    for length in [0, 5, whole.find('\n').unwrap(), third, third + 1, third + 40, whole.len() - 1, whole.len()] {
        fs::write(folder.join("torn.csv"), &whole[..length]).unwrap();
        stdout(folder, &format!("{SWEEP} --csv torn.csv --resume"), 0);
        assert_eq!(read(folder, "torn.csv"), whole, "{length} bytes");
    }
}

#[test]
fn every_row_is_repeated_by_a_run() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let sweeps = [
        "sweep peterson itai-rodeh --topology ring --nodes 8,12 --runs 2 --timing exponential --csv runs.csv",
        "sweep echo-election floodmax --topology gnp:0.4 --nodes 16 --runs 3 --csv runs.csv",
        "sweep tree-waves --topology tree --nodes 9 --runs 2 --csv runs.csv",
        "sweep bully random-candidacy --topology complete --nodes 5 --runs 2 --csv runs.csv",
    ];
    for sweep in sweeps {
        stdout(folder, sweep, 0);
        let rows = read(folder, "runs.csv");
        fs::remove_file(folder.join("runs.csv")).unwrap();
        let heads: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
        for row in rows.lines().skip(1) {
            let of = |name: &str| row.split(',').nth(heads.iter().position(|head| *head == name).unwrap()).unwrap();
            let line = format!(
                "run {} --topology {} --timing {} --seed {} --stats --json",
                of("algorithm"),
                of("topology"),
                of("timing"),
                of("seed")
            );
            let run: Value = serde_json::from_str(&stdout(folder, &line, 0)).unwrap();
            let (messages, announce) = (&run["messages"]["total"], &run["messages"]["by_kind"]["announce"]);
            let announce = announce.as_u64().unwrap_or(0);
            assert_eq!(of("messages"), (messages.as_u64().unwrap() - announce).to_string(), "{line}");
            assert_eq!(of("announce"), announce.to_string(), "{line}");
            assert_eq!(of("links"), run["links"].to_string(), "{line}");
            assert_eq!(of("bits"), run["bits"].to_string(), "{line}");
            assert_eq!(of("time"), run["time"].to_string(), "{line}");
            assert_eq!(of("leader"), run["leaders"][0]["node"].to_string(), "{line}");
            assert_eq!(of("ok"), run["ok"].to_string(), "{line}");
            assert_eq!(of("per_node"), run["stats"]["sends"]["most"].to_string(), "{line}");
        }
    }
}

#[test]
fn algorithms_are_compared_on_the_same_networks_and_ids() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // In lock step the three algorithms send the same messages if the ids are the same.
    stdout(
        folder,
        "sweep chang-roberts clockwise clockwise-async --topology ring --nodes 8,16 --runs 4 --csv a.csv",
        0,
    );
    let rows = read(folder, "a.csv");
    let of = |name: &str| -> Vec<Vec<String>> {
        let mine = rows.lines().filter(|row| row.starts_with(&format!("{name},")));
        let cells = |row: &str| row.split(',').map(String::from).collect::<Vec<_>>();
        mine.map(cells).map(|row| [2, 5, 6, 7, 11].map(|column| row[column].clone()).to_vec()).collect()
    };
    assert_eq!(of("chang-roberts").len(), 8);
    assert_eq!((of("chang-roberts"), of("chang-roberts")), (of("clockwise"), of("clockwise-async")));
}

#[test]
fn an_election_that_fails_is_shown_counted_and_told_by_the_exit_code() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "sweep peterson --topology ring --nodes 8 --runs 20 --fault loss=0.05 --force --csv runs.csv";
    let told = stdout(folder, line, 1);
    let rows = read(folder, "runs.csv");
    let wrong = rows.lines().skip(1).filter(|row| row.contains(",false,")).count();
    assert!((1..20).contains(&wrong), "{rows}");
    assert!(told.contains(&format!("{wrong} of 20 elections, left out of the tables")), "{told}");
    assert!(told.contains(&format!(" {}/20 ", 20 - wrong)), "{told}");
    let repeat = told.lines().find_map(|line| line.split_once("no-leader: bellwether ")).unwrap().1;
    stdout(folder, repeat, 1);
    let json: Value = serde_json::from_str(&stdout(folder, "sweep --merge runs.csv --json", 1)).unwrap();
    assert_eq!((&json["wrong"], &json["ok"]), (&Value::from(wrong), &Value::from(false)));
    // A run that was only stopped is not broken: nothing is known.
    stdout(folder, "sweep peterson --topology ring --nodes 64 --runs 2 --limit 100", 3);
}

#[test]
fn what_is_proved_stands_beside_what_is_measured() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "sweep le-lann chang-roberts --topology ring --nodes 10..1000x10 --runs 4 --budget 20000 --json";
    let json: Value = serde_json::from_str(&stdout(folder, line, 0)).unwrap();
    let [le_lann, chang_roberts] = [0, 1].map(|index| &json["algorithms"][index]);
    assert_eq!(le_lann["skipped"], serde_json::json!([1000]), "{json}");
    assert_eq!(le_lann["points"][1]["measured"]["mean"], 10_000);
    assert_eq!(le_lann["points"][1]["proved"], serde_json::json!({"best": 10_000, "mean": 10_000, "worst": 10_000}));
    assert_eq!(le_lann["points"][1]["ratio"], serde_json::json!({"mean": 1.0, "worst": 1.0}));
    assert!((le_lann["growth"]["exponent"].as_f64().unwrap() - 2.0).abs() < 1e-9);
    let point = &chang_roberts["points"][2];
    let run = "run chang-roberts --topology ring:1000 --json";
    let run: Value = serde_json::from_str(&stdout(folder, run, 0)).unwrap();
    // A run includes announcements, of which there are n.
    let mean = run["bounds"]["messages"]["mean"].as_f64().unwrap() - 1000.0;
    assert!((point["proved"]["mean"].as_f64().unwrap() - mean).abs() < 1e-6);
    // If ids are not drawn, no mean over them is proved.
    let fixed = format!("{line} --ids descending");
    let json: Value = serde_json::from_str(&stdout(folder, &fixed, 0)).unwrap();
    let point = &json["algorithms"][1]["points"][0];
    assert_eq!((&point["proved"]["mean"], &point["ratio"]["worst"]), (&Value::Null, &Value::from(1.0)));
}

#[test]
fn a_file_of_another_sweep_is_refused_and_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    stdout(folder, &format!("{SWEEP} --shard 1/2 --csv a.csv"), 0);
    stdout(folder, &format!("{SWEEP} --shard 2/2 --csv b.csv"), 0);
    stdout(folder, &format!("{SWEEP} --seed 2 --shard 2/2 --csv c.csv"), 0);
    fs::write(folder.join("poem.txt"), "a rose\nis a rose\n").unwrap();
    let before = read(folder, "a.csv");
    let refusals = [
        (format!("{SWEEP} --csv a.csv --resume --shard 1/2 --seed 2"), "a.csv: this belongs to another sweep"),
        (format!("{SWEEP} --csv a.csv --resume --shard 2/2"), "line 2: here is run 1 of chang-roberts on ring:8"),
        (format!("{SWEEP} --csv a.csv --resume --shard 1/3"), "line 3: here is run 3"),
        (format!("{SWEEP} --csv poem.txt --resume"), "poem.txt: this is no file of `bellwether sweep --csv`"),
        (format!("{SWEEP} --csv a.csv --plot a.csv"), "--csv and --plot name the same file"),
        (format!("{SWEEP} --plot a.pdf"), "ends neither in .svg nor in .png"),
        ("sweep --merge a.csv".into(), "30 of 60 runs are missing, the first of them run 2 of chang-roberts on ring:8"),
        (
            "sweep --merge a.csv b.csv a.csv".into(),
            "a.csv: line 2: run 1 of chang-roberts on ring:8 is in a.csv already",
        ),
        ("sweep --merge a.csv c.csv".into(), "c.csv: this belongs to another sweep"),
        ("sweep --merge a.csv poem.txt".into(), "poem.txt: this is no file"),
        ("sweep --merge a.csv nowhere.csv".into(), "nowhere.csv: No such file"),
    ];
    for (line, reason) in refusals {
        let said = refusal(folder, &line);
        assert!(said.contains(reason), "{line}: {said}");
    }
    assert_eq!(read(folder, "a.csv"), before);
    let damaged = before.replacen("chang-roberts,ring:8,8,8,", "chang-roberts,ring:8,8,eight,", 1);
    fs::write(folder.join("a.csv"), damaged).unwrap();
    assert!(refusal(folder, "sweep --merge a.csv b.csv").contains("line 2: column links: "));
    // No election costs more than the proved maximum.
    let mut cells: Vec<&str> = before.lines().nth(1).unwrap().split(',').collect();
    let line = cells.join(",");
    cells[7] = "999999";
    fs::write(folder.join("a.csv"), before.replacen(&line, &cells.join(","), 1)).unwrap();
    let contradiction = "line 2: run 1 of chang-roberts on ring:8 contradicts itself";
    assert!(refusal(folder, "sweep --merge a.csv b.csv").contains(contradiction));
    // Bounds are what the formulas give, and a right election keeps to them.
    let header: Vec<&str> = before.lines().next().unwrap().split(',').collect();
    for (column, value, reason) in [
        ("announce", "4294967295", "line 2: run 1 of chang-roberts on ring:8 contradicts itself: column announce: "),
        ("messages", "1", "contradicts itself: column messages: 1 is less than proved_best"),
        ("time", "99999", "contradicts itself: column time: 99999 is more than proved_time"),
        ("proved_worst", "99999", "line 2: column proved_worst: 99999, where the formula "),
        ("proved_mean", "2.09", "line 2: column proved_mean: 2.09, where the formula "),
        ("proved_announce", "16", "line 2: column proved_announce: 16, where the formula n gives 8"),
        ("proved_mean", "", "line 2: column proved_mean is empty, where the formula n H_n holds"),
        ("proved_worst", "", "line 2: column proved_worst is empty, where the formula "),
        ("broken", "1", "contradicts itself: column broken: "),
        ("links", "9", "line 2: column links: 9, where the network has 8"),
        ("per_node", "1", "contradicts itself: column per_node: if no node sends more than 1, 8 send fewer than "),
        ("per_node", "400", "contradicts itself: column per_node: 400 is more than all "),
        ("bits", "7", "contradicts itself: column bits: "),
    ] {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells[header.iter().position(|name| *name == column).unwrap()] = value;
        fs::write(folder.join("a.csv"), before.replacen(&line, &cells.join(","), 1)).unwrap();
        for command in ["sweep --merge a.csv b.csv".into(), format!("{SWEEP} --csv a.csv --resume --shard 1/2")] {
            let said = refusal(folder, &command);
            assert!(said.starts_with("error: a.csv: line 2: ") && said.contains(reason), "{command}: {said}");
        }
    }
    // A row with a seed that is not in the plan does not belong to this sweep.
    let seed = before.lines().nth(1).unwrap().split(',').nth(5).unwrap();
    fs::write(folder.join("a.csv"), before.replacen(seed, "7", 1)).unwrap();
    assert!(refusal(folder, "sweep --merge a.csv b.csv").contains("its sweep has no run 1 of chang-roberts on ring:8"));
}

/// The columns of a file by name, row by row.
fn columns(folder: &Path, file: &str, names: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join(file)).unwrap();
    let heads = reader.headers().unwrap().clone();
    let places: Vec<usize> = names.iter().map(|name| heads.iter().position(|head| head == *name).unwrap()).collect();
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| places.iter().map(|place| row[*place].to_string()).collect()).collect()
}

/// A folder of networks with names that a CSV and a shell must quote.
fn own_networks(folder: &Path) {
    fs::create_dir(folder.join("own")).unwrap();
    fs::write(folder.join("own/.hidden"), "not a network").unwrap();
    fs::create_dir(folder.join("own/folder")).unwrap();
    for (network, name) in [("grid:3x3", "z.dot"), ("ba:12:2", "it's,\"odd\".graphml"), ("star:5", "b.edges")] {
        stdout(folder, &format!("topology {network} --out own/{name}"), 0);
    }
}

#[test]
fn own_networks_are_swept_in_parts_resumed_and_merged() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    own_networks(folder);
    let line = "sweep echo-election floodmax --topology file:own --runs 4";
    let told = stdout(folder, &format!("{line} --csv whole.csv --plot whole.svg"), 0);
    assert!(told.contains("    file:own/it's,\"odd\".graphml     12     4 "), "{told}");
    let rows = columns(folder, "whole.csv", &["algorithm", "topology", "nodes", "run"]);
    let names: Vec<&str> = rows.iter().step_by(4).map(|row| &row[1][..]).collect();
    let [star, grid, odd] = ["file:own/b.edges", "file:own/z.dot", "file:own/it's,\"odd\".graphml"];
    assert_eq!(names, [star, star, grid, grid, odd, odd]);
    // Every row is repeated by a run, and a comparison has the same networks and ids.
    let wanted = ["algorithm", "topology", "seed", "messages", "leader", "crc32", "ids"];
    for row in columns(folder, "whole.csv", &wanted) {
        let compare = format!("compare echo-election floodmax --topology {} --seed {} --json", row[1], row[2]);
        let json: Value = serde_json::from_str(&stdout(folder, &compare, 0)).unwrap();
        let mine = json["runs"].as_array().unwrap().iter().find(|run| run["algorithm"] == row[0][..]).unwrap();
        let announce = mine["messages"]["by_kind"]["announce"].as_u64().unwrap_or(0);
        assert_eq!(row[3], (mine["messages"]["total"].as_u64().unwrap() - announce).to_string(), "{compare}");
        assert_eq!(row[4], mine["leaders"][0]["node"].to_string(), "{compare}");
        assert!(row[5].parse::<u32>().is_ok() && row[6] == "random", "{row:?}");
    }
    for part in 1..=2 {
        let told = stdout(folder, &format!("{line} --shard {part}/2 --csv part-{part}.csv"), 0);
        assert!(told.contains(&format!("--shard {part}/2 --csv part-{part}.csv\n")), "{told}");
    }
    assert_eq!(stdout(folder, "sweep --merge part-2.csv part-1.csv --csv all.csv --plot all.svg", 0), told);
    let whole = read(folder, "whole.csv");
    assert_eq!((read(folder, "all.csv"), read(folder, "all.svg")), (whole.clone(), read(folder, "whole.svg")));
    let half = whole.match_indices('\n').nth(9).unwrap().0 + 1;
    fs::write(folder.join("half.csv"), &whole[..half]).unwrap();
    assert_eq!(stdout(folder, &format!("{line} --csv half.csv --resume"), 0), told);
    assert_eq!(read(folder, "half.csv"), whole);
    // A file that is not what it was is refused, even with as many nodes and links.
    stdout(folder, "topology ba:12:2 --seed 2 --out own/it's,\"odd\".graphml", 0);
    let changed = format!("{odd} has another content now: restore it, or begin a new CSV file");
    fs::write(folder.join("half.csv"), &whole).unwrap();
    assert!(refusal(folder, &format!("{line} --csv half.csv --resume")).contains(&changed));
    assert!(refusal(folder, "sweep --merge part-1.csv part-2.csv").contains(&changed));
    fs::remove_file(folder.join("own/z.dot")).unwrap();
    assert!(refusal(folder, "sweep --merge part-1.csv part-2.csv").contains("its sweep has no run"));
}

#[test]
fn networks_that_cannot_be_swept_are_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    own_networks(folder);
    fs::create_dir(folder.join("empty")).unwrap();
    fs::write(folder.join("two.edges"), "a b\nc d\nd e\n").unwrap();
    for (options, reason) in [
        ("--topology file:own --csv own/a.csv", "--csv would lie among the networks"),
        ("--topology file:own/z.dot --plot own/z.dot", "--plot would overwrite own/z.dot"),
        ("--topology file:own --topology file:own/z.dot", "file:own/z.dot is named twice"),
        ("--topology file:empty", "empty: this folder has no files"),
        ("--topology file:-", "put this one into a file"),
        ("--topology file:none", "none: No such file or directory\n"),
        ("--topology file:two.edges", "two.edges: the network is not connected"),
        ("--topology graph6:DhC --largest-component", "graph6:DhC is connected"),
        ("--topology file:own --nodes 8", "leave --nodes out"),
        ("--topology ring", "--nodes is missing"),
        ("--topology file:own --ids random --ids random", "--ids: random is named twice"),
    ] {
        let said = refusal(folder, &format!("sweep echo-election {options}"));
        assert!(said.contains(reason), "{options}: {said}");
    }
    let said = refusal(folder, "sweep echo-election peterson --topology file:own");
    assert!(said.contains("peterson needs a one-way ring, as in ring:8, and file:own/b.edges is none"), "{said}");
    fs::write(folder.join("own/new\nline"), "0 1\n").unwrap();
    assert!(refusal(folder, "sweep echo-election --topology file:own").contains("own/new\\nline: a row cannot name"));
    let told = stdout(folder, "sweep echo-election --topology file:two.edges --largest-component --runs 1", 0);
    assert!(told.contains("left out   2 nodes"), "{told}");
}

#[test]
fn several_ids_are_series_of_one_sweep() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "sweep chang-roberts itai-rodeh --topology ring --nodes 8..64 --runs 3 --ids random --ids descending";
    let told = stdout(folder, &format!("{line} --csv both.csv --plot both.svg"), 0);
    assert!(told.contains("\n  chang-roberts, descending ids  proved: (k + 1)(2n - k)/2 at most\n"), "{told}");
    let of = |ids: &str, file: &str| -> Vec<Vec<String>> {
        let rows = columns(folder, file, &["ids", "nodes", "seed", "messages", "proved_mean"]);
        rows.into_iter().filter(|row| row[0] == ids).collect()
    };
    // Those without ids run once. All others are what they would be alone.
    assert_eq!(of("", "both.csv").len(), 12);
    for ids in ["random", "descending"] {
        let alone = format!("sweep chang-roberts --topology ring --nodes 8..64 --runs 3 --ids {ids} --csv {ids}.csv");
        stdout(folder, &alone, 0);
        assert_eq!(of(ids, "both.csv"), of(ids, &format!("{ids}.csv")));
    }
    assert!(of("descending", "both.csv").iter().all(|row| row[4].is_empty()));
    let svg = read(folder, "both.svg");
    assert!(svg.contains(">chang-roberts, descending ids  ~ n^1.9") && svg.contains("to compare slopes: n log n"));
    let json: Value = serde_json::from_str(&stdout(folder, &format!("{line} --json"), 0)).unwrap();
    let series = json["algorithms"].as_array().unwrap().iter().map(|one| [&one["algorithm"], &one["ids"]]);
    let expected = [["chang-roberts", "random"], ["chang-roberts", "descending"], ["itai-rodeh", ""]];
    let texts: Vec<[&str; 2]> = series.map(|pair| pair.map(|value| value.as_str().unwrap_or(""))).collect();
    assert_eq!(texts, expected);
}

#[test]
fn growth_as_n_log_n_is_told_as_that_and_formulas_are_whole() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "sweep hirschberg-sinclair le-lann --topology ring --nodes 16..1024 --runs 5 --plot a.svg";
    let told = stdout(folder, line, 0);
    assert!(told.contains("    grows as n log n: ") && told.contains("    grows as n^2.000 ± 0.000\n"), "{told}");
    let svg = read(folder, "a.svg");
    assert!(svg.contains(">hirschberg-sinclair  ~ n log n<") && svg.contains(">le-lann  ~ n^2.00<"));
    let formula: Vec<&str> = svg.split("<text").filter(|text| text.contains("faint")).collect();
    assert!(formula.iter().any(|text| text.contains(">6n + Σ 4·2ⁱ ⌊n/(2ⁱ⁻¹ + 1)⌋ over<")), "{formula:?}");
    let is_cut = |text: &&&str| text.contains('…') && !text.contains("H_n = 1 + 1/2 + … + 1/n");
    assert!(!formula.iter().any(|text| text.contains("_{")) && formula.iter().find(is_cut).is_none(), "{formula:?}");
    let json: Value = serde_json::from_str(&stdout(folder, &line.replace("--plot a.svg", "--json"), 0)).unwrap();
    let law = |index: usize| &json["algorithms"][index]["growth"]["law"];
    assert!(law(0)["n_lg_n"].as_f64().unwrap() > 1.0 && law(1) == "power", "{json}");
}

#[test]
fn a_run_that_cannot_be_judged_is_not_wrong() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // The only initiator crashes before it starts, so no election is held.
    let line = "sweep bully --topology complete --nodes 3 --runs 2 --initiators 0 --fault crash=0@0 --ids 3,2,1";
    let told = stdout(folder, &format!("{line} --csv a.csv"), 3);
    assert!(told.contains("  not judged 2 of 2 elections, left out of the tables\n"), "{told}");
    assert!(!told.contains("  wrong "), "{told}");
    assert_eq!(columns(folder, "a.csv", &["ok", "broken"]), [["false", "0"], ["false", "0"]]);
    let json: Value = serde_json::from_str(&stdout(folder, &format!("{line} --json"), 3)).unwrap();
    assert_eq!((&json["wrong"], &json["not_judged"], &json["ok"]), (&0.into(), &2.into(), &false.into()));
}

#[test]
fn several_algorithms_are_compared_on_one_network() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "compare chang-roberts peterson itai-rodeh --topology ring:16 --seed 5 --timing uniform";
    let json: Value =
        serde_json::from_str(&stdout(folder, &format!("{line} --json --svg a.svg --png a.png"), 0)).unwrap();
    for run in json["runs"].as_array().unwrap() {
        let repeat = run["repeat"].as_str().unwrap().strip_prefix("bellwether ").unwrap();
        let mut alone: Value = serde_json::from_str(&stdout(folder, &format!("{repeat} --stats --json"), 0)).unwrap();
        alone.as_object_mut().unwrap().retain(|key, _| key != "bytes" && key != "state_bits");
        assert_eq!(&alone, run, "{repeat}");
    }
    // The picture agrees with the table.
    let svg = read(folder, "a.svg");
    for run in json["runs"].as_array().unwrap() {
        let (name, messages) = (run["algorithm"].as_str().unwrap(), &run["messages"]["election"]);
        assert!(svg.contains(&format!("{name}: messages: to elect + to announce {messages}")), "{name}");
        let row =
            stdout(folder, line, 0).lines().find(|row| row.starts_with(&format!("  {name} "))).unwrap().to_string();
        assert_eq!(row.split_whitespace().nth(1).unwrap(), messages.to_string());
    }
    assert!(fs::read(folder.join("a.png")).unwrap().starts_with(b"\x89PNG"));
    let told = stdout(folder, line, 0);
    assert!(told.contains("knows      every node knows its id (chang-roberts, peterson)"), "{told}");
    assert!(refusal(folder, "compare peterson bully --topology ring:5").contains("bully needs a complete graph"));
}

#[test]
fn a_comparison_fits_a_terminal_of_80_columns() {
    let folder = TempDir::new().unwrap();
    for line in [
        "compare chang-roberts peterson franklin hirschberg-sinclair itai-rodeh le-lann --topology ring:1000",
        "compare chang-roberts-bidirectional hirschberg-sinclair --topology ring:1000 --timing uniform",
    ] {
        let mut command = bellwether(folder.path(), line);
        let told = String::from_utf8(command.env("COLUMNS", "80").output().unwrap().stdout).unwrap();
        let shown = told.lines().filter(|line| !line.starts_with("  repeat"));
        assert!(shown.clone().count() > 10 && shown.clone().all(|line| line.chars().count() <= 80), "{told}");
        assert!(told.contains("busiest"), "{told}");
    }
}

/// The value of an attribute of the first element after a text.
fn attribute<'a>(svg: &'a str, behind: &str, name: &str) -> &'a str {
    let rest = svg.split_once(behind).unwrap_or_else(|| panic!("no {behind}")).1;
    rest.split_once(&format!(" {name}=\"")).unwrap().1.split_once('"').unwrap().0
}

#[test]
fn what_is_proved_is_drawn_at_all_sizes_and_not_only_at_those_that_were_measured() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let bound = "proved at most: 2n ⌊lg k⌋ + n";
    stdout(folder, "sweep peterson --topology ring --nodes 16,1024 --runs 2 --plot two.svg", 0);
    let two = read(folder, "two.svg");
    // A step at each of 32, 64, ..., 1024: a line to it, and a line up.
    let corners = attribute(&two, bound, "d").matches('L').count();
    assert!((12..40).contains(&corners), "{}", attribute(&two, bound, "d"));
    assert!(two.contains("n nodes, k of them start, lg to base 2") && two.contains("from 16 to 1,024 nodes"));
    // Two sizes give the same curve as many sizes.
    stdout(folder, "sweep peterson --topology ring --nodes 16..1024 --runs 2 --plot many.svg", 0);
    let corners_of_many = attribute(&read(folder, "many.svg"), bound, "d").matches('L').count();
    assert_eq!(corners_of_many, corners);
    // A single size has a mark.
    stdout(folder, "sweep peterson --topology ring --nodes 16 --runs 2 --plot one.svg", 0);
    assert_eq!(attribute(&read(folder, "one.svg"), bound, "d").matches('L').count(), 1);
}

#[test]
fn on_random_networks_an_exact_cost_lies_where_it_was_measured() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "sweep floodmax --topology gnp:0.1 --nodes 20..80:20 --runs 6";
    stdout(folder, &format!("{line} --plot g.svg"), 0);
    let svg = read(folder, "g.svg");
    let dashes: Vec<&str> = attribute(&svg, "proved exactly: 2Dm", "d").split('M').skip(1).collect();
    assert_eq!(dashes.len(), 4);
    let json: Value = serde_json::from_str(&stdout(folder, &format!("{line} --json"), 0)).unwrap();
    for (dash, point) in dashes.iter().zip(json["algorithms"][0]["points"].as_array().unwrap()) {
        assert_eq!(point["measured"]["mean"], point["proved"]["mean"]);
        let sign = format!("<title>floodmax at {}: ", point["nodes"]);
        // A circle begins at its leftmost point, at the height of its centre.
        let middle = attribute(&svg, &sign, "d").split_once(' ').unwrap().1.split_once('a').unwrap().0;
        assert_eq!(dash.split_once('L').unwrap().0.split_once(' ').unwrap().1, middle, "{sign}");
    }
}

/// The diameter of this network would take too long to find.
#[test]
fn where_a_bound_stands_for_the_diameter_it_is_told_everywhere() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "sweep floodmax --topology regular:3 --nodes 16,100000 --runs 1";
    let told = stdout(folder, &format!("{line} --csv a.csv"), 0);
    assert!(told.contains("in 1 of 2 runs D is a bound"), "{told}");
    let rows = read(folder, "a.csv");
    let column = rows.lines().next().unwrap().split(',').position(|name| name == "diameter_bound").unwrap();
    let bounds: Vec<&str> = rows.lines().skip(1).map(|row| row.split(',').nth(column).unwrap()).collect();
    assert_eq!(bounds, ["", "27"]);
    let seed = rows.lines().nth(2).unwrap().split(',').nth(5).unwrap();
    let compare = format!("compare floodmax echo-election --topology regular:100000:3 --seed {seed}");
    let compared = stdout(folder, &compare, 0);
    assert!(compared.contains("everybody was told 27, a bound (floodmax)"), "{compared}");
}

#[test]
fn what_a_synchronizer_sends_is_told_everywhere() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "sweep floodmax peterson --topology ring --nodes 8 --runs 1 --timing uniform";
    let told = stdout(folder, &format!("{line} --csv a.csv --plot a.svg"), 0);
    let rows = read(folder, "a.csv");
    let seed = rows.lines().nth(1).unwrap().split(',').nth(5).unwrap();
    let run = format!("run floodmax --topology ring:8 --timing uniform --seed {seed} --json");
    let run: Value = serde_json::from_str(&stdout(folder, &run, 0)).unwrap();
    let pulses = run["overhead"]["pulse"].as_u64().unwrap();
    assert!(pulses > 0);
    assert_eq!(columns(folder, "a.csv", &["overhead"]), [[pulses.to_string()], ["0".into()]]);
    assert!(told.contains("overhead: the synchronizer's messages on average, counted apart"), "{told}");
    assert!(read(folder, "a.svg").contains("without the synchronizer's messages"));
    let json: Value = serde_json::from_str(&stdout(folder, &format!("{line} --json"), 0)).unwrap();
    let overhead = [0, 1].map(|index| json["algorithms"][index]["points"][0]["overhead"].as_u64().unwrap());
    assert_eq!(overhead, [pulses, 0]);
    let compare = format!("compare floodmax peterson --topology ring:8 --timing uniform --seed {seed} --svg b.svg");
    assert!(stdout(folder, &compare, 0).contains(&format!("pulse {pulses} of the synchronizer")));
    let told = format!("floodmax: messages: to elect + to announce {} + {pulses}", run["messages"]["total"]);
    assert!(read(folder, "b.svg").contains(&told));
}

#[test]
fn phases_are_counted_where_they_are_asked_for() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let line = "sweep dolev-klawe-rodeh itai-rodeh --topology ring --nodes 8 --runs 4";
    let told = stdout(folder, &format!("{line} --quantity phases --csv a.csv --plot a.svg"), 0);
    assert!(told.contains("dolev-klawe-rodeh  proved: ⌊lg k⌋ + 1 at most"), "{told}");
    assert!(told.contains("itai-rodeh  in tournaments  proved: E_n on average"), "{told}");
    assert!(told.contains("--phases --seed 1 --quantity phases"), "{told}");
    let mut rows = csv::Reader::from_path(folder.join("a.csv")).unwrap();
    let rows: Vec<BTreeMap<String, String>> = rows.deserialize().map(Result::unwrap).collect();
    for row in &rows {
        let run = format!("run {} --topology ring:8 --seed {} --json", row["algorithm"], row["seed"]);
        let run: Value = serde_json::from_str(&stdout(folder, &run, 0)).unwrap();
        let phases = run["phases"].as_array().unwrap();
        assert_eq!(row["phases"], phases.len().to_string());
        let sum: u64 = phases.iter().map(|phase| phase["messages"].as_u64().unwrap()).sum();
        assert_eq!(row["messages"], sum.to_string());
        let bound = if row["algorithm"] == "itai-rodeh" { "" } else { "4" };
        assert_eq!(row["proved_phases"], bound);
    }
    assert_eq!(rows.len(), 8);
    assert_eq!(stdout(folder, "sweep --merge a.csv --quantity phases", 0), told);
    stdout(folder, &format!("{line} --csv b.csv"), 0);
    let said = refusal(folder, "sweep --merge b.csv --quantity phases");
    assert!(said.contains("these runs did not count phases: hold the sweep again with --phases"), "{said}");
    let said = refusal(folder, "sweep peterson le-lann --topology ring --nodes 8 --quantity phases");
    assert!(said.contains("le-lann has no phases to count"), "{said}");
    let said = refusal(folder, "sweep peterson --topology ring --nodes 8 --quantity phases --timing rounds");
    assert!(said.contains("through an adaptor its phases cannot be counted"), "{said}");
    // What is proved of a variant is not what is proved of the algorithm.
    let variant = "sweep peterson --topology ring --nodes 8 --runs 2 --set leader=last --csv c.csv";
    assert_eq!(stdout(folder, variant, 0), stdout(folder, &format!("{variant} --resume"), 0));
}

#[test]
fn a_sweep_that_was_stopped_says_how_to_go_on_and_why_runs_cannot_be_added() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let path = folder.join("runs.csv");
    let mut child = bellwether(folder, &format!("{LONG} --plot runs.svg")).stdout(Stdio::piped()).spawn().unwrap();
    at_least(3, &path, &mut child);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let told = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let on = told.lines().find_map(|line| line.trim_start().strip_prefix("go on      bellwether ")).expect(&told);
    assert!(on.ends_with("--csv runs.csv --plot runs.svg --resume"), "{on}");
    assert!(!stdout(folder, on, 0).contains("go on"));
    let said = refusal(folder, &format!("{} --resume", LONG.replace("--runs 60", "--runs 61")));
    assert!(said.contains("The runs of a size stand together, so none can be added"), "{said}");
}

#[test]
fn nothing_is_written_over_that_is_not_this_very_sweep_or_that_is_read() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    stdout(folder, &format!("{SWEEP} --csv this.csv"), 0);
    stdout(folder, &format!("{SWEEP} --shard 1/2 --csv part.csv"), 0);
    stdout(folder, "sweep peterson --topology ring --nodes 8 --runs 1 --csv other.csv", 0);
    fs::write(folder.join("notes.txt"), "notes without an end").unwrap();
    fs::write(folder.join("lines.txt"), "some\nlines\n").unwrap();
    fs::write(folder.join("net.edges"), "0 1\n1 2\n2 0\n").unwrap();
    stdout(folder, "run peterson --topology ring:4 --trace run.ndjson", 0);
    let before = |name: &str| read(folder, name);
    for (name, line, why) in [
        ("other.csv", format!("{SWEEP} --csv other.csv"), "another sweep"),
        ("part.csv", format!("{SWEEP} --csv part.csv"), "another part"),
        ("notes.txt", format!("{SWEEP} --csv notes.txt"), "left alone"),
        ("notes.txt", format!("{SWEEP} --csv notes.txt --resume"), "left alone"),
        ("lines.txt", format!("{SWEEP} --csv lines.txt"), "left alone"),
        ("part.csv", "sweep --merge part.csv --plot part.csv".into(), "which is read"),
        ("run.ndjson", "replay run.ndjson --svg ./run.ndjson".into(), "which is read"),
        ("net.edges", "run peterson --topology file:net.edges --png net.edges".into(), "which is read"),
        ("net.edges", "topology file:net.edges --svg net.edges".into(), "which is read"),
        ("net.edges", "check franklin --topology file:net.edges --trace net.edges".into(), "which is read"),
    ] {
        let content = before(name);
        let refused = refusal(folder, &line);
        assert!(refused.contains(why), "{line}: {refused}");
        assert_eq!(read(folder, name), content, "{line}");
    }
    // The very same sweep may be held again.
    let content = before("this.csv");
    stdout(folder, &format!("{SWEEP} --csv this.csv"), 0);
    assert_eq!(read(folder, "this.csv"), content);
}
