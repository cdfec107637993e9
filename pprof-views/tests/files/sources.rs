//! Which files `list` reads. A profile may come from anybody, so that it must not choose them.

use std::error::Error;
use std::fs;
use std::path::Path;

use pprof_views::{Profile, View, ViewError};

use super::synthetic::small;

const REFUSED: &str = "<source not read: not in a source folder; name its folder with --source";

/// Lists a function whose source file has this path.
fn listed(path: &str, folders: &[&Path], prefixes: &[&str]) -> String {
    let profile = Profile::from_bytes(&small(path).bytes()).expect("a profile");
    let view = (folders.iter()).fold(View::new(&profile), |view, it| view.source(it).expect("a folder"));
    prefixes.iter().fold(view, |view, it| view.trim_path(it)).list("codec::shift").expect("a table")
}

/// Writes a source file whose lines contain `mark`.
fn write(path: &Path, mark: &str) -> String {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, format!("{mark}\n").repeat(40)).expect("a file");
    path.to_string_lossy().into_owned()
}

#[test]
fn a_file_outside_of_the_source_folders_is_named_and_not_read() -> Result<(), Box<dyn Error>> {
    let all = tempfile::tempdir()?;
    let folder = all.path().join("project");
    let outside = write(&all.path().join("outside.rs"), "secret");
    write(&all.path().join("projects/x.rs"), "secret");
    write(&folder.join("src/x.rs"), "public");
    let [inside, parent] = [&folder, all.path()].map(|path| path.to_string_lossy());
    let mut paths = vec![
        outside.clone(),
        "../outside.rs".into(),
        "src/../../outside.rs".into(),
        format!("{inside}/../outside.rs"),
        format!("{inside}/src/../../outside.rs"),
        format!("/other/project/../../{outside}"),
        "/other/project/../outside.rs".into(),
        format!("/proc/self/cwd/{outside}"),
        format!("{parent}/projects/x.rs"),
        format!("file://{outside}"),
        "outside.rs".into(), // pprof looks in the parents of a folder
        ".".into(),
        "/".into(),
        inside.clone().into_owned(),
        format!("{inside}/src"),
        format!("{inside}/no\0such.rs"),
        "/etc/os-release".into(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.join("link.rs"))?;
        std::os::unix::fs::symlink(all.path(), folder.join("linked"))?;
        std::os::unix::fs::symlink("/dev/zero", folder.join("zero.rs"))?;
        let links = ["link.rs", "linked/outside.rs", "linked/projects/x.rs", "zero.rs"];
        paths.extend(links.map(String::from));
        paths.extend(links.map(|link| format!("{inside}/{link}")));
    }
    for path in paths {
        for prefixes in [&[][..], &["/"], &[&*parent], &["/other"]] {
            let table = listed(&path, &[&folder], prefixes);
            let is_refused = table.contains(REFUSED) && !table.contains("secret");
            assert!(is_refused, "{path:?} without {prefixes:?}: {table}");
            assert!(table.contains("codec::shift in "), "{path:?} is named: {table}");
        }
    }
    Ok(())
}

#[test]
fn files_in_the_source_folders_are_found() -> Result<(), Box<dyn Error>> {
    let all = tempfile::tempdir()?;
    let [folder, other] = ["project", "other"].map(|name| all.path().join(name));
    let by_name = "/home/builder/project/src/x.rs";
    let source = write(&folder.join("src/x.rs"), "found it");
    write(&other.join("y.rs"), "found it");
    let is_found = |table: String| table.contains("22:found it") && !table.contains("not read");
    let folders: [&Path; 2] = [&other, &folder];
    for path in [&*source, "src/x.rs", "./src//x.rs", "/proc/self/cwd/src/x.rs", "y.rs", by_name] {
        assert!(is_found(listed(path, &folders, &[])), "{path}");
        assert!(!is_found(listed(path, &[], &[])), "{path} in the current folder");
    }
    // pprof shows the file of the first folder.
    write(&other.join("src/x.rs"), "that of another folder");
    for path in [&*source, by_name] {
        assert!(is_found(listed(path, &folders, &[])), "{path} in the folder of its name");
    }
    let elsewhere = "/rustc/0123/library/src/z.rs";
    write(&folder.join("src/z.rs"), "found it");
    assert!(!is_found(listed(elsewhere, &folders, &[])));
    for prefix in ["/rustc/0123/library", "/rustc/0123/library/"] {
        let prefixes = ["/rust", prefix];
        assert!(is_found(listed(elsewhere, &folders, &prefixes)), "{prefix}");
        assert!(!is_found(listed(by_name, &folders, &prefixes)), "a prefix is no guess, as in pprof");
    }
    #[cfg(unix)]
    {
        let link = all.path().join("link");
        std::os::unix::fs::symlink(&folder, &link)?;
        std::os::unix::fs::symlink("src", folder.join("sources"))?;
        for path in [&*source, &link.join("src/x.rs").to_string_lossy(), "sources/x.rs"] {
            assert!(is_found(listed(path, &[&link], &[])), "{path} through a link");
        }
    }
    Ok(())
}

#[test]
fn the_current_folder_is_the_default() -> Result<(), Box<dyn Error>> {
    // Tests run in the folder of their package.
    let here = std::env::current_dir()?.join("sources.rs");
    for path in ["sources.rs", &here.to_string_lossy()] {
        let table = listed(path, &[], &[]);
        assert!(table.contains("22:    fs::create") && !table.contains("<source"), "{table}");
    }
    assert!(listed("synthetic.rs/../../../Cargo.toml", &[], &[]).contains(REFUSED));
    Ok(())
}

#[test]
fn a_source_folder_that_is_none_is_refused() -> Result<(), Box<dyn Error>> {
    let profile = Profile::from_bytes(&small("/x.rs").bytes())?;
    for path in ["/no/such/folder", "main.rs"] {
        let error = View::new(&profile).source(path.as_ref()).expect_err("no folder");
        assert!(matches!(error, ViewError::SourceFolder(..)));
        assert!(error.to_string().contains(&format!("'{path}'")), "{error}");
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_read() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let pipe = folder.path().join("pipe.rs");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        println!("skipped: mkfifo is not installed");
        return Ok(());
    }
    // Somebody who opens the pipe reads this, so that the test fails and does not hang.
    let writer = pipe.clone();
    std::thread::spawn(move || fs::write(writer, "from the pipe\n".repeat(40)));
    let table = listed("pipe.rs", &[folder.path()], &[]);
    assert!(table.contains(REFUSED) && !table.contains("from the pipe"), "{table}");
    for device in ["/dev/zero", "/dev/tty", "/dev/stdin"] {
        let table = listed(device, &["/dev".as_ref()], &[]);
        assert!(table.contains(REFUSED), "{table}");
    }
    Ok(())
}

#[test]
fn files_of_any_size_and_content_are_read_in_part() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let view = |view: View<'_>| view.source(folder.path()).expect("a folder").list("").expect("a table");
    let mut lines = vec![b'\xff'; 15 << 20];
    lines.extend(b"\n\x1b[31m\r\nlast\n");
    fs::write(folder.path().join("x.rs"), &lines)?;
    let mut many = small("x.rs");
    many.functions[3].3 = 1;
    many.locations[0].1 = vec![(4, 1), (4, 3)];
    let table = view(View::new(&Profile::from_bytes(&many.bytes())?));
    assert!(table.contains("     2:\u{fffd}[31m\n") && table.contains("     3:last\n"));
    // Every function shows the long line, until it is too much.
    many.functions =
        (0..40).map(|number| (format!("long{number}"), String::new(), "x.rs".to_owned(), 1)).collect();
    many.locations = (1..=40).map(|function| (1, vec![(function, 1)])).collect();
    many.samples = (1..=40).map(|location| (vec![location], vec![1, 1], String::new())).collect();
    let table = view(View::new(&Profile::from_bytes(&many.bytes())?));
    assert!(table.contains("<source not read: more than 256 MiB of sources; list fewer functions>"));
    assert!(table.len() < 1 << 30, "{} bytes", table.len());
    Ok(())
}
