//! The call graph in Graphviz' language DOT, as pprof draws it.

mod color;
mod label;

use std::collections::HashMap;

use super::columns::Columns;
use super::error::ViewError;
use super::graph::{Edge, Graph, Node, Order, TrimmedGraph};
use super::limits;
use super::text::Text;
use super::view::{DEFAULT_NODES, View};
use color::color;
use label::{escaped, in_lines};

/// Sizes of the text in a node, from no samples of its own to the most of all nodes.
const FONT_SIZE: f64 = 8.0;
const FONT_GROWTH: f64 = 16.0;

impl View<'_> {
    /// Returns the call graph in Graphviz' language DOT, like `go tool pprof -dot`.
    ///
    /// Nodes are functions and edges are calls; a dotted edge leads over functions that are omitted.
    /// At most 80 functions are shown, or as many as [`node_count`](Self::node_count) allows, but not
    /// more than 500. Functions below half a percent and calls below a tenth of a percent of the total
    /// are omitted. The labels of samples, such as the thread, are not drawn.
    ///
    /// # Errors
    ///
    /// [`ViewError::TooLarge`] if there are more than 262,144 functions, a million calls or 16 MiB
    /// of text.
    pub fn dot(&self) -> Result<String, ViewError> {
        let max = match self.node_count {
            None => DEFAULT_NODES,
            Some(0) => limits::DOT_NODES,
            Some(count) => count.min(limits::DOT_NODES),
        };
        let mut trimmed = TrimmedGraph::new(self, Order::Entropy, max)?;
        trimmed.graph.remove_redundant_edges();
        let columns = Columns::new(self, &trimmed.graph);
        let mut legend = columns.trimmed_heading(&trimmed, true);
        legend.push("\nSee https://git.io/JfYMW for how to read the graph".into());
        let title = escaped(self.program().unwrap_or("unnamed"));
        let tooltip = self.program().map(|program| format!(" tooltip=\"{}\"", escaped(program)));
        let mut text = Text::default();
        text.line(format_args!("digraph \"{title}\" {{"))?;
        text.line("node [style=filled fillcolor=\"#f8f8f8\"]")?;
        let lines: String = legend.iter().map(|line| escaped(line) + "\\l").collect();
        text.line(format_args!(
            "subgraph cluster_L {{ \"{}\" [shape=box fontsize=16 label=\"{lines}\"{}] }}",
            escaped(legend.first().map_or("", String::as_str)),
            tooltip.unwrap_or_default()
        ))?;
        Drawing { graph: &trimmed.graph, columns: &columns }.add_to(&mut text)?;
        text.line("}")?;
        Ok(text.into_string())
    }
}

struct Drawing<'g> {
    graph: &'g Graph,
    columns: &'g Columns<'g>,
}

impl Drawing<'_> {
    fn add_to(&self, text: &mut Text) -> Result<(), ViewError> {
        let Self { graph, .. } = self;
        let max_flat = graph.shown().map(|node| node.flat.unsigned_abs()).max().unwrap_or(0);
        let ids: HashMap<u32, usize> = graph.order.iter().map(|&at| at as u32).zip(1..).collect();
        for (node, id) in graph.shown().zip(1..) {
            text.line(self.node(node, id, max_flat))?;
        }
        let name = |at: &u32| graph.label(&graph.nodes[*at as usize]);
        let mut edges: Vec<_> = graph.edges.iter().collect();
        edges.sort_by(|((a_from, a_to), a), ((b_from, b_to), b)| {
            let heavier = b.weight.unsigned_abs().cmp(&a.weight.unsigned_abs());
            let by_name = || (name(a_from), name(a_to)).cmp(&(name(b_from), name(b_to)));
            heavier.then_with(by_name).then_with(|| (a_from, a_to).cmp(&(b_from, b_to)))
        });
        for (&(caller, callee), edge) in edges {
            if let (Some(from), Some(to)) = (ids.get(&caller), ids.get(&callee)) {
                text.line(self.edge(edge, (name(&caller), *from), (name(&callee), *to)))?;
            }
        }
        Ok(())
    }

    fn node(&self, node: &Node, id: usize, max_flat: u64) -> String {
        let Self { graph, columns } = self;
        let Node { flat, cum, .. } = *node;
        let name = graph.label(node);
        let is_function = node.key.name != 0; // otherwise the name of a file
        let lines = if is_function { in_lines(name) } else { escaped(name) + "\\n" };
        let with_share = |value| format!("{} ({})", columns.label(value), columns.share(value));
        let own = if flat == 0 { "0".into() } else { with_share(flat) };
        let all = match (flat, cum) {
            (flat, cum) if flat == cum => String::new(),
            (0, cum) => format!(" of {}", with_share(cum)),
            (_, cum) => format!("\\nof {}", with_share(cum)),
        };
        let growth = match max_flat {
            0 => 0.0,
            max => (FONT_GROWTH * (flat.unsigned_abs() as f64 / max as f64).sqrt()).ceil(),
        };
        let share = self.ratio(cum);
        format!(
            "N{id} [label=\"{lines}{own}{all}\" id=\"node{id}\" fontsize={} shape=box tooltip=\"{} ({})\" \
             color=\"{}\" fillcolor=\"{}\"]",
            FONT_SIZE + growth,
            escaped(name),
            columns.label(cum),
            color(share, false),
            color(share, true)
        )
    }

    fn edge(&self, edge: &Edge, (caller, from): (&str, usize), (callee, to): (&str, usize)) -> String {
        let label = self.columns.label(edge.weight);
        let inline = if edge.inline { "\\n (inline)" } else { "" };
        let mut attributes = format!("label=\" {label}{inline}\"");
        let total = i128::from(self.columns.total());
        if total != 0 {
            for (name, max) in [("weight", 100), ("penwidth", 5)] {
                let number = (i128::from(edge.weight) * max / total).abs().min(max);
                if number > 0 {
                    attributes += &format!(" {name}={}", number + 1);
                }
            }
            attributes += &format!(" color=\"{}\"", color(self.ratio(edge.weight), false));
        }
        let arrow = if edge.residual { "..." } else { "->" };
        let tooltip = format!("\"{} {arrow} {} ({label})\"", escaped(caller), escaped(callee));
        let style = if edge.residual { " style=\"dotted\"" } else { "" };
        format!("N{from} -> N{to} [{attributes} tooltip={tooltip} labeltooltip={tooltip}{style}]")
    }

    /// Returns the ratio of a value to the total.
    fn ratio(&self, value: i64) -> f64 {
        match self.columns.total() {
            0 => 0.0,
            total => value as f64 / total.unsigned_abs() as f64,
        }
    }
}
