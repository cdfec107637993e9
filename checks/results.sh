# The data file of checks/run, which sources this file: how results are written, and their age.
#
# The file has a line for each check, an object with `date`, `commit`, `sources`, `machine`,
# `compiler`, `seconds`, `cpu_seconds`, `exit` and `figures`, an object for each line `figure:` of
# the output. `sources` is the hash of the files that the check is about, in that commit. The last
# line, `changed`, names a commit, `until`, and for each result how many of these files differ
# between its commit and that one. They are counted when a result is recorded, not at each commit:
# docs/trust.md, which shows the numbers, stays true and has to be made again with results only.
results=checks/results.json

# Prints the name of the CPU with its family and model, since virtual machines often hide the name.
machine() {
    local cpu
    cpu=$(awk -F '[ \t]*: ' '!NF { exit } { field[$1] = $2 }
        END {
            family = field["cpu family"]
            print field["model name"] (family == "" ? "" : " (family " family ", model " field["model"] ")")
        }' /proc/cpuinfo 2>/dev/null || true)
    echo "${cpu:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) cores"
}

# Replaces the data file by what a filter of jq makes of it.
store() { # OPTION... FILTER
    [ -f $results ] || echo '{}' >$results
    jq -r "${@:1:$#-1}" "${!#}"' | "{\n" + (to_entries | map("\(.key | tojson): \(.value | tojson)") | join(",\n")) + "\n}"' \
        $results >$results.new
    mv $results.new $results
}

# Writes the result of a check to the data file. Integers become numbers; jq would change others.
record() { # NAME EXIT SECONDS CPU_SECONDS
    # The figure of tests is how many have passed.
    awk '/^figure: / { print substr($0, 9); found = 1 }
        /^test result: / { passed += $4 }
        END { if (!found && passed) print "passed=" passed }' "$log" |
        store --rawfile figures /dev/stdin --arg name "$1" --argjson exit "$2" --argjson seconds "$3" --argjson cpu "$4" \
            --arg date "$(date -u +%F)" --arg commit "$commit" --arg machine "$(machine)" \
            --arg compiler "$(rustc --version)" '
            def figure: split("; ") | map(index("=") as $at | {(.[:$at]): .[$at + 1:] | (if test("^[0-9]+$") then tonumber else . end)}) | add;
            . + {($name): {$date, $commit, $machine, $compiler, $seconds, cpu_seconds: $cpu, $exit,
                figures: [$figures | splits("\n") | select(. != "") | figure]}}'
    recount "$commit"
}

# Prints the hash of the sources of a check in a commit: of their names, modes and contents.
sources_hash() { # INDEX COMMIT
    git diff-tree -r "$(git hash-object -t tree /dev/null)" "$2" -- ${sources[$1]} | git hash-object --stdin
}

# Prints the sources of a check that differ between a commit and another one, or the files here.
changed() { # INDEX COMMIT [COMMIT]
    git diff --name-only --no-renames "${@:2}" -- ${sources[$1]} &&
        { [ $# = 3 ] || git ls-files --others --exclude-standard -- ${sources[$1]}; }
}

in_history() { git merge-base --is-ancestor "$1" HEAD 2>/dev/null; } # COMMIT

# Prints a field of a result, or `null`.
field() { jq -r --arg name "${all[$1]}" ".[\$name].$2" $results; } # INDEX FIELD

# Writes the hash of the sources of each result, and how many of them have changed until a commit.
# What changed since a commit that is not in the history here is not known; its hash is kept.
recount() { # COMMIT
    local i of count hash
    for i in "${!all[@]}"; do
        of=$(field "$i" commit)
        [ "$of" != null ] || continue
        if in_history "$of"; then
            hash=$(sources_hash "$i" "$of")
            count=$(changed "$i" "$of" "$1" | awk 'END { print NR }')
        else
            echo "${all[i]}: its commit $of is not in the history here; fetch it, or run the check again" >&2
            hash=$(field "$i" sources) count=null
        fi
        echo "${all[i]} $hash $count"
    done | store --rawfile ages /dev/stdin --arg until "$1" '
        ([$ages | splits("\n") | select(. != "") | split(" ")]) as $ages
        | reduce $ages[] as [$name, $hash] (.; .[$name] |= ({date, commit, sources: $hash} + del(.sources)))
        | del(.changed) + {changed: {$until, files: ($ages | map({(.[0]): .[2] | fromjson}) | add)}}'
}

# Lists those of the chosen checks that have to be run again, and why. Returns 1 if there are any.
stale() {
    local i of code reason found=0
    for i in "${chosen[@]}"; do
        of=$(field "$i" commit) code=$(field "$i" exit) reason=
        if [ "$of" = null ]; then
            of=- code=0 reason='not recorded'
        elif in_history "$of"; then
            # The number of files, and of those below each path.
            reason=$(changed "$i" "$of" | awk -v paths="$(echo ${sources[i]})" '
                BEGIN { count = split(paths, path, " ") }
                { for (i = 1; i <= count; i++) if (index($0 "/", path[i] "/") == 1) { number[i]++; break } }
                END {
                    for (i = 1; i <= count; i++) if (number[i]) list = list ", " number[i] " in " path[i]
                    if (NR) print NR (NR == 1 ? " file" : " files") " changed: " substr(list, 3)
                }')
        elif [ "$(sources_hash "$i" HEAD)" != "$(field "$i" sources)" ] || [ -n "$(changed "$i" HEAD)" ]; then
            reason='sources changed; its commit is not in the history here'
        fi
        [ "$code" = 0 ] || reason="failed with exit code $code${reason:+; $reason}"
        [ -z "$reason" ] || { found=1 && printf '%-20s %-10s %s\n' "${all[i]}" "$of" "$reason"; }
    done
    return $found
}

# Ends with 2 if ages cannot be told.
need_history() {
    has jq || { echo "no jq; run $(set_up jq)" >&2; exit 2; }
    git rev-parse --quiet --verify HEAD >/dev/null 2>&1 || { echo "no commit here; clone the repository with git" >&2; exit 2; }
    [ -f $results ] || { echo "no results in $results; run a check, such as checks/run strings3" >&2; exit 2; }
}
