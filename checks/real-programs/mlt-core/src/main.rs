//! Map tiles: all columns of a tile are decoded, as in the crate's own benchmark. Tiles are made by its
//! encoder, with varints for integers. The variable `TILES` names a folder with more of them.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use geo_types::{Geometry, LineString};
use measure::{Random, case, limit_kernel};
use mlt_core::encoder::EncoderConfig;
use mlt_core::{Decoder, Parser, PropKind, PropValue, TileLayer};

fn main() {
    limit_kernel();
    let tile = contour_lines();
    measure("contour lines, made here", &[tile]);
    if let Ok(folder) = std::env::var("TILES") {
        for set in sorted(Path::new(&folder)).into_iter().filter(|path| path.is_dir()) {
            let name = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let files =
                sorted(&set).into_iter().filter(|path| path.extension().is_some_and(|end| end == "mlt"));
            let (mut zooms, mut others) = (Vec::new(), Vec::new());
            for file in files {
                let bytes = fs::read(&file).expect("a readable tile");
                let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                // Tiles whose name begins with a zoom level: those of the benchmark.
                match stem.split_once('_').and_then(|(zoom, _)| zoom.parse::<u8>().ok()) {
                    Some(zoom @ (4 | 7 | 13)) => zooms.push((zoom, bytes)),
                    Some(_) => {}
                    None => others.push(bytes),
                }
            }
            for zoom in [4, 7, 13] {
                let tiles: Vec<Vec<u8>> =
                    zooms.iter().filter(|tile| tile.0 == zoom).map(|tile| tile.1.clone()).collect();
                measure(&format!("{name}, zoom {zoom}"), &tiles);
            }
            measure(&name, &others);
        }
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths
}

/// Measures the decoding of all columns, per byte of the tiles.
fn measure(name: &str, tiles: &[Vec<u8>]) {
    if tiles.is_empty() {
        return;
    }
    let mut layers = 0;
    let mut decoder = Decoder::with_max_size(u32::MAX);
    case(&format!("decode {name}"), tiles.iter().map(Vec::len).sum(), &tiles, || {
        for tile in tiles {
            decoder.reset_budget();
            let parsed = Parser::with_max_size(u32::MAX).parse_layers(black_box(tile)).expect("a valid tile");
            layers += parsed.len();
            black_box(decoder.decode_all(parsed).expect("a valid tile"));
        }
    });
    assert!(layers > 0);
}

/// Returns a tile with lines whose vertices are close to each other, and their heights.
fn contour_lines() -> Vec<u8> {
    let mut random = Random(1);
    let mut layer = TileLayer::builder("contours", 4096).expect("a valid name");
    let height = layer.add_property("height", PropKind::U32).expect("a new property");
    for id in 0..400 {
        let (mut x, mut y) = (random.below(4096) as i32, random.below(4096) as i32);
        let mut line = vec![];
        for _ in 0..200 {
            x += random.below(41) as i32 - 20;
            y += random.below(41) as i32 - 20;
            line.push((x, y));
        }
        let mut feature = layer.feature(Geometry::LineString(LineString::from(line)));
        feature.id(Some(id * 3));
        feature.property(height, PropValue::U32(Some(random.below(400) as u32 * 10))).expect("a property");
        feature.finish().expect("a feature");
    }
    let config = EncoderConfig::default().with_fastpfor(false);
    layer.finish().encode(config).expect("a valid layer")
}
