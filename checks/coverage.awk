# Makes the table of checks/coverage.sh from lcov records: counts by file, and the missed lines and
# branches. A file may have several records.
BEGIN { FS = "[:,]" }
function percent(hit, all) { return all ? sprintf("%.1f %%", 100 * hit / all) : "-" }
function row(name, lh, lf, bh, bf) {
    printf "%-32s %5d /%5d %8s %7d /%5d %8s\n", name, lh, lf, percent(lh, lf), bh, bf, percent(bh, bf)
}
# Finds the first line of the module of tests, which is the last of a file, and the lines of
# constants and of functions that the compiler may evaluate.
function read_source(path, file,    text, line, held, constant, indent) {
    starts[file] = 1e9
    while ((getline text < path) > 0) {
        line++
        if (text ~ /^#\[cfg\(.*test.*\)\]/) held = line
        if (text ~ /^mod tests \{/) { starts[file] = held; break }
        if (text ~ /^ *(pub |pub\(.*\) )?(const fn|const|static) .*\{$/) { constant = 1; match(text, /^ */); indent = RLENGTH }
        if (constant) constants[file, line] = 1
        if (constant && text ~ /^ *\};?$/ && match(text, /^ */) && RLENGTH == indent) constant = 0
    }
    close(path)
}
$1 == "SF" {
    file = $2
    sub(/.*\/src\//, "", file)
    counts = $2 ~ /\/src\// && $2 !~ /\/(tests|\.cargo|library\/std)\// && file !~ /^(sweep|bin)\//
    if (counts && !(file in starts)) { read_source($2, file); files[++n] = file }
}
counts && $1 == "DA" && $2 < starts[file] { line[file, $2] += $3; last[file] = $2 > last[file] ? $2 : last[file] }
counts && $1 == "BRDA" && $2 < starts[file] { branch[file, $2, $3, $4] += $5 == "-" ? 0 : $5 }
END {
    for (key in branch) {
        split(key, part, SUBSEP)
        bf[part[1]]++
        if (branch[key]) bh[part[1]]++; else open[part[1], part[2]] = 1
    }
    printf "%-32s %21s %23s\n", "file", "lines", "branches"
    for (i = 1; i <= n; i++) {
        file = files[i]
        lf = lh = 0
        missed = compiled = unturned = ""
        for (at = 1; at <= last[file]; at++) {
            if ((file, at) in open) unturned = unturned " " at
            if (!((file, at) in line)) continue
            if (!line[file, at] && (file, at) in constants) { compiled = compiled " " at; continue }
            lf++
            if (line[file, at]) lh++; else missed = missed " " at
        }
        row(file, lh, lf, bh[file], bf[file])
        LF += lf; LH += lh; BF += bf[file]; BH += bh[file]
        if (missed) details = details "src/" file ": lines" missed "\n"
        if (unturned) details = details "src/" file ": branches at" unturned "\n"
        if (compiled) by_compiler = by_compiler "src/" file ":" compiled "\n"
    }
    row("codec and kernels", LH, LF, BH, BF)
    printf "\nmissed:\n%s", details ? details : "nothing\n"
    printf "\nnot counted, because only the compiler evaluates it, for tables and constants:\n%s", by_compiler
}
