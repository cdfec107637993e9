//! Plots, as pictures and as pages.

use std::fs;

use crate::fixture::{Fixture, stderr};

fn history() -> (Fixture, Vec<String>) {
    let fixture = Fixture::new();
    let mut names = Vec::new();
    for (time, subject) in [(1.0, "Slow & <script>steady</script>"), (0.5, "Fast")] {
        names.push(fixture.commit(subject)[..7].to_owned());
        for run in 0..3 {
            let time = time + f64::from(run) / 100.0;
            fixture.bench("decode/u64/mix", "ours-avx2", &[time, time]);
            fixture.bench("decode/u64/mix", "plain", &[3.0 + time, 4.0]);
            fixture.bench("encode/u64/1B", "ours-scalar", &[time, time]);
            fixture.record();
        }
    }
    (fixture, names)
}

#[test]
fn a_picture_names_groups_commits_and_the_machine() {
    let (fixture, names) = history();
    let file = fixture.path("plot.svg");
    fixture.history(&["plot", file.to_str().unwrap()]).success();
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for text in
        ["decode/u64/mix", "encode/u64/1B", "avx2 0.51 ns", "scalar 0.51 ns", "rustc ", &names[0], &names[1]]
    {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(!svg.contains("plain"), "{svg}");

    fixture.history(&["plot", file.to_str().unwrap(), "--peers", "decode"]).success();
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.contains("plain 3.51 ns") && !svg.contains("encode"), "{svg}");
}

#[test]
fn a_page_contains_the_picture_and_its_figures_and_loads_nothing() {
    let (fixture, names) = history();
    let file = fixture.path("plot.html");
    fixture.history(&["plot", file.to_str().unwrap()]).success();
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
    assert_eq!(page.matches("<svg").count(), 1);
    assert!(page.contains("<td>0.510 ± 0.006</td>"), "{page}");
    assert!(page.contains(&format!("<td>{}</td>", names[0])), "{page}");
    assert!(
        page.contains("Slow &amp; &lt;script&gt;steady&lt;/script&gt;") && !page.contains("<script"),
        "{page}"
    );
    assert!(!page.contains("src=") && !page.contains("href="), "{page}");
}

#[test]
fn a_failed_plot_leaves_an_existing_file_unchanged() {
    let (fixture, _) = history();
    for name in ["plot.png", "plot", ".svg"] {
        let text =
            stderr(&fixture.history(&["plot", fixture.path(name).to_str().unwrap()]).failure().code(2));
        assert!(text.contains(".svg or .html"), "{text}");
    }
    let file = fixture.path("nowhere").join("plot.svg");
    let text = stderr(&fixture.history(&["plot", file.to_str().unwrap()]).failure().code(3));
    assert!(text.contains(&format!("cannot write {}", file.display())), "{text}");

    let file = fixture.path("plot.svg");
    fs::write(&file, "old").unwrap();
    fixture.history(&["plot", file.to_str().unwrap(), "no-such-benchmark"]).failure().code(2);
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
}
