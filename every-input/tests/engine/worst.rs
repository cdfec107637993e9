//! The worst input of each class, such as an exponent: in JSON of all classes, in text of a few rows.

use every_input::{Report, Space, Sweep, Ulps, agrees, all, exhaustive};

use crate::written::Texts;

/// Returns a report of the function that returns the next float for these inputs.
fn deviating<S: Space<Item = f32>>(sweep: &Sweep<S>, deviates: impl Fn(f32) -> bool + Sync) -> Report {
    let function = |x: f32| if deviates(x) { x.next_up() } else { x };
    sweep.report("x", &agrees(function, |x: f32| x, Ulps(1.0))).unwrap()
}

/// Returns the class, the deviation and the input of each row of the table in the text.
fn rows(report: &Report) -> Vec<[String; 3]> {
    let text = report.to_string();
    let lines = text.lines().skip_while(|line| !line.contains("worst deviation  ")).skip(1);
    let cells = |line: &str| {
        let cells: Vec<_> = line.split("  ").filter(|cell| !cell.is_empty()).collect();
        let [class, deviation, input] = cells[..] else { panic!("{line:?} in {text}") };
        [class, deviation, input].map(|cell| cell.trim().to_owned())
    };
    lines.take_while(|line| !line.is_empty()).map(cells).collect()
}

#[test]
fn each_exponent_has_its_worst_input() {
    let report = deviating(&exhaustive(1.0f32..=16.0), |x| x == 1.5 || (x > 5.0 && x < 6.0));
    let by_class = report.worst_by_class.iter().map(|(class, one)| (&**class, one.deviation, &*one.value));
    let expected = [
        ("+ 2^0", 1.0, "1.5"),
        ("+ 2^1", 0.0, "2.0"),
        ("+ 2^2", 1.0, "5.0000005"),
        ("+ 2^3", 0.0, "8.0"),
        ("+ 2^4", 0.0, "16.0"),
    ];
    assert_eq!(Vec::from_iter(by_class), expected);
    assert_eq!(report.worst.as_ref().map(|worst| &*worst.value), Some("1.5"));
    let expected = expected
        .map(|(class, deviation, input)| [class, &format!("{deviation:.3}"), input].map(String::from));
    assert_eq!(rows(&report), expected);
}

#[test]
fn neighbouring_classes_share_a_row_of_the_text_if_there_are_many() {
    let report = deviating(&Sweep::of(all::<f32>()).sample(Some(100_000)), |x| x == 2.0 || x == 1.0);
    assert_eq!(report.worst_by_class.len(), 512);
    let rows = rows(&report);
    assert_eq!(rows.len(), 16);
    assert_eq!(rows[11], ["+ 2^-31 to + 2^0", "1.000", "1.0"].map(String::from));
    assert_eq!(rows[12], ["+ 2^1 to + 2^32", "1.000", "2.0"].map(String::from));
    assert!([11, 12].iter().all(|&at| rows[at][1] == "1.000") && rows[13][1] == "0.000", "{rows:?}");
}

#[test]
fn spaces_with_one_class_or_with_thousands_have_the_worst_input_of_all() {
    let one = deviating(&exhaustive(1.0f32..=1.5), |x| x > 1.25);
    assert_eq!((one.worst_by_class.len(), rows(&one).len()), (1, 0), "a table of one row says nothing new");
    for (classes, of_each) in [(1, 0), (4000, 4000), (5000, 0)] {
        let space = Texts { text: "#".into(), name: "class ".into(), classes };
        let function = |number: u64| 1.0 + f64::EPSILON * (number % 70_000) as f64;
        let report = exhaustive(space).report("x", &agrees(function, |_| 1.0, Ulps(1e9))).unwrap();
        let worst = report.worst.as_ref().map(|worst| (worst.deviation, &*worst.value));
        assert_eq!(worst, Some((69_999.0, "#69999")));
        assert_eq!(report.worst_by_class.len(), of_each, "{classes}");
    }
}
