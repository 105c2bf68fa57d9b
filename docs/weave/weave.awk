# Keeps documents in step with the code and the recorded runs.
#
#   LC_ALL=C awk [-v check=1] -v tables=PROGRAM -f docs/weave/weave.awk DOCUMENT...
#
# Rewrites the generated parts of each document, what stands between <!-- NAME: ARGUMENTS --> and <!-- end -->,
# then checks its figures, code, messages and links. With check nothing is written: a part that would change is a
# complaint too. `make walkthrough` and `make walkthrough-check` type it, in the kit's folder; PROGRAM is built from
# tables.c. Exit status: 0, or 1 after complaints on standard error, which name the line.
#
#   panel: RUN STEP          the step's panel, as ./run printed it when RUN was recorded
#   summary: RUN ["FROM" "TO"]   the table that ends such a run, or those lines of it
#   device: RUN              what the device has, and the two baselines
#   table: RUN[:STEP]... KEY...   a row a step; keys are those of the JSON, and block
#   bandwidths: RUN...     a row a run: the useful bandwidth of each step, and of the device's own copy
#   definitions:             the numbers of a step by what people read, and what they mean
#   metrics:                 the panel's metrics by nvprof's name, the kit's and CUPTI's
#   counts:                  the counts that these are made of, by the kit's name and CUPTI's
#   roof: DEVICE             how near each kernel comes to the device's own copy, by make bench-gpu
#   peers: DEVICE            the same beside PyTorch's and others', by make bench-gpu PEERS=1
#   csv: NAME [KEY=VALUE...] KEY...   columns of docs/runs/NAME.csv, a row a line that has the values
#   lab: NAME [KEY=VALUE...] KEY...   columns of docs/runs/lab-NAME-<device>.csv, a table a device (make
#                            record-labs), of the points that have the values
#   micro: NAME...           values that make micro measured on the H200
#   code: FILE ["FROM" "TO"] the lines from the first that contains FROM to the next that contains TO
#   output: ["FROM" "TO"] COMMAND   what a command prints, or those lines of it
#   predicted: ["FROM" "TO"] COMMAND   the same of predictions, which are of nvcc's kernels: without it the lines stay

BEGIN {
    # Units and what they stand for; '+' before those of measured figures, the others are exact by definition.
    UNITS = split("+GB/s 1e9 +TB/s 1e12 GHz 1e9 KiB 1024 +MiB 1048576 +GiB 1073741824 KB 1e3 +MB 1e6 +GB 1e9 " \
                  "+ns 1e-9 +µs 1e-6 +ms 1e-3 +s 1 +% 0.01 +× 1 +times 1 +cycles 1", unit_words, " ") / 2
    for (u = 1; u <= UNITS; u++) {
        unit_name[u] = unit_words[2 * u - 1]
        unit_measured[u] = sub(/^\+/, "", unit_name[u])
        unit_factor[u] = unit_words[2 * u]
    }
    for (argument = 1; argument < ARGC; argument++)
        process(ARGV[argument])
    exit failed
}

function process(path,   i) {
    document = path
    to_root = path ~ /\// ? "../" : ""
    old_count = read(path, old)
    if (old_count < 0) {
        complain(1, "it cannot be read")
        return
    }
    if (!weave())
        return
    if (check)
        compare()
    else {
        for (i = 1; i <= count; i++)
            print line[i] > path
        close(path)
    }
    check_figures()
    check_spans()
    check_links()
}

function complain(i, what) {
    print document ":" i ": " what > "/dev/stderr"
    failed = 1
}

# The lines of a file, from 1; how many, or -1 when it cannot be read.
function read(path, into,   n, status) {
    for (n = 0; (status = (getline into[n + 1] < path)) > 0;)
        n++
    close(path)
    return status < 0 ? -1 : n
}

# All that a command prints, as one string.
function output_of(command,   text, separator) {
    separator = RS
    RS = "\001"
    text = ""
    command | getline text
    close(command)
    RS = separator
    return text
}

# ---- Generated parts -------------------------------------------------------------------------------

# Makes line[1 .. count] of the old lines. False after a complaint.
function weave(   i, end, is_whole) {
    count = 0
    for (i = 1; i <= old_count; i++) {
        put(old[i])
        if (!opens(old[i]))
            continue
        for (end = i + 1; end <= old_count && old[end] != "<!-- end -->" && !opens(old[end]);)
            end++
        why = "this generated part has no <!-- end -->"
        is_whole = end <= old_count && !opens(old[end])
        if (is_whole && stays(old[i]))
            continue
        if (!is_whole || !write_part(old[i])) {
            complain(i, why)
            return 0
        }
        i = end - 1
    }
    return 1
}

function put(text) {
    line[++count] = text
}

function opens(text) {
    return text ~ /^<!-- (panel|summary|device|table|bandwidths|definitions|metrics|counts|roof|peers|csv|lab|micro|code|output|predicted):/
}

function stays(marker) {
    return !nvcc && marker ~ /^<!-- predicted:/
}

# Puts the lines that the marker asks for. False with the reason in `why`.
function write_part(marker,   name) {
    if (marker !~ / -->$/) {
        why = "the marker must end with -->, and its line with that"
        return 0
    }
    name = substr(marker, 6, index(marker, ":") - 6)
    if (!split_words(substr(marker, index(marker, ":") + 1, length(marker) - index(marker, ":") - 4))) {
        why = "the marker has a quote that does not end"
        return 0
    }
    if (name == "code")
        return write_code()
    if (name == "output" || name == "predicted")
        return write_output()
    if (name == "roof" || name == "peers")
        return write_shares(name)
    if (name == "csv")
        return write_csv()
    if (name == "lab")
        return write_lab()
    if (name == "micro")
        return write_micro()
    return write_table(name)
}

# word[1 .. words]: separated by blanks, a phrase in double quotes counting as one.
function split_words(text) {
    words = 0
    while (match(text, /[^ ]/)) {
        text = substr(text, RSTART)
        quoted[++words] = text ~ /^"/
        if (!match(text, quoted[words] ? "^\"[^\"]*\"" : "^[^ ]+"))
            return 0
        word[words] = substr(text, 1 + quoted[words], RLENGTH - 2 * quoted[words])
        text = substr(text, RLENGTH + 1)
    }
    return 1
}

function join_words(from,   i, text) {
    text = ""
    for (i = from; i <= words; i++)
        text = text (i > from ? " " : "") word[i]
    return text
}

# Runs a command: what it prints becomes printed[1 .. its count], which is returned; -1, and `why`, when it fails.
function run(command,   n, all) {
    all = output_of("{ " command "; } </dev/null; echo $?")
    n = split(all, printed, "\n") - 2 # the last line is the status, and has an end
    if (n > 0 && printed[n + 1] == 0)
        return n
    why = all
    sub(/\n[0-9]*\n$/, "", why)
    return -1
}

# Puts lines of from[first .. n] in a fence: all, or from the first that has `start` to the next that has `end`.
# Returns the place of the first, 0 when there are none such; `last` is that of the last.
function put_lines(from, first, n, info, part, start, end,   i) {
    last = n
    if (part) {
        while (first <= n && !index(from[first], start))
            first++
        for (last = first; last <= n && !index(from[last], end);)
            last++
    }
    if (first > n || last > n)
        return 0
    put("```" info)
    for (i = first; i <= last; i++)
        put(from[i])
    put("```")
    return first
}

function write_code(   n, first, file, lines) {
    split("", lines)
    why = "code takes a file, and perhaps \"FROM\" and \"TO\""
    if (words != 1 && words != 3)
        return 0
    why = "there is no " word[1] " to quote"
    if ((n = read(word[1], lines)) < 0)
        return 0
    first = put_lines(lines, 1, n, "cuda", words == 3, word[2], word[3])
    why = word[1] " has no lines from '" word[2] "' to '" word[3] "'"
    if (first)
        put("[`" word[1] "`](" to_root word[1] "#L" first "-L" last "), lines " first " to " last)
    return first
}

function write_output(   part, command, n) {
    part = words > 2 && quoted[1] && quoted[2]
    command = join_words(part ? 3 : 1)
    n = run("LC_ALL=C.UTF-8 NO_COLOR=1 " command)
    if (n < 0) {
        why = "`" command "` fails or prints nothing"
        return 0
    }
    why = "`" command "` prints no lines from '" word[1] "' to '" word[2] "'"
    return put_lines(printed, 1, n, "", part, word[1], word[2])
}

# What the program prints: of a report, which a blank line begins and its origin ends, in a fence.
function write_table(name,   i, n, report, part) {
    report = name == "panel" || name == "summary"
    part = name == "summary" && words == 3
    n = run("LC_ALL=C.UTF-8 " tables " '" to_root "' " name " " (part ? word[1] : join_words(1)) " 2>&1")
    if (n < 0)
        return 0
    why = "the report has no lines from '" word[2] "' to '" word[3] "'"
    if (report && !put_lines(printed, 2, n - 1, "", part, word[2], word[3]))
        return 0
    for (i = report ? n : 1; i <= n; i++)
        put(printed[i])
    return 1
}

# ---- Generated parts that are tables of recorded CSV files -----------------------------------------

# Reads docs/runs/NAME.csv into row[1 .. rows]; `origin` says of what device and when, `maker` by what command.
function read_csv(name) {
    csv = "docs/runs/" name ".csv"
    rows = read(csv, row)
    why = rows < 0 ? "cannot read " csv : csv " does not begin with where it is from, and a heading"
    origin = maker = row[1]
    return rows >= 2 && sub(/^# /, "", origin) && sub(/: .*/, "", origin) && sub(/^# [^:]*: /, "", maker)
}

function put_origin() {
    put("")
    put("Measured: " origin ", `" maker "` ([`" csv "`](" to_root csv ")).")
}

# Puts a table's heading: its cells, and the marks under them.
function put_heading(cells, marks,   n) {
    put(cells)
    for (n = gsub(/\|/, "|", cells) - gsub(/\|/, "|", marks); n > 0; n--)
        marks = marks "---:|"
    put(marks)
}

function write_csv(   i, k, n, columns, shown, gbs, fields, text, key, found) {
    why = "csv takes a file of docs/runs/, and then its columns"
    if (words < 2 || !read_csv(word[1]))
        return 0
    columns = split(row[2], fields, ",")
    for (i = 2; i <= words; i++) {
        key = word[i]
        sub(/=.*/, "", key)
        for (k = 1; k <= columns && fields[k] != key;)
            k++
        why = csv " has no column " key
        if (k > columns)
            return 0
        shown[i] = k
        gbs[i] = key ~ /._gbs$/ # the unit stands with the number
        sub(/_gbs$/, "", key)
        gsub(/_/, " ", key)
        if (!index(word[i], "="))
            text = text " " key " |"
    }
    put_heading("|" text, "|")
    why = csv " has no such rows"
    for (n = 3; n <= rows; n++) {
        split(row[n], fields, ",")
        text = "|"
        for (i = 2; i <= words; i++) {
            key = fields[shown[i]]
            if (!index(word[i], "="))
                text = text " " (key == "" ? "–" : key (gbs[i] ? " GB/s" : "")) " |"
            else if (key "" != substr(word[i], index(word[i], "=") + 1) "")
                break
        }
        if (i > words) {
            put(text)
            found = 1
        }
    }
    put_origin()
    return found
}

# A lab's points, of each GPU on which they were measured, else of the simulated H200: with one column of two parameters
# a row for each value of the second and a column for each of the first; else a row a point. What KEY=VALUE picks is no
# parameter any more.
function write_lab(   command, n, paths, files, i) {
    why = "lab takes a name, and columns of docs/runs/lab-NAME-<device>.csv"
    take_picks()
    if (words < 2)
        return 0
    command = "ls docs/runs/lab-" word[1] "-*.csv | grep -v sim- || ls docs/runs/lab-" word[1] "-sim-h200.csv"
    n = split(output_of(command " 2>/dev/null"), paths, "\n") - 1
    why = "there is no docs/runs/lab-" word[1] "-*.csv"
    for (i = 1; i <= n; i++) {
        if (i > 1)
            put("")
        if (!write_lab_table(paths[i]))
            return 0
    }
    return n > 0
}

# The words with a = among those of the marker.
function take_picks(   i, kept) {
    picks = 0
    for (i = 1; i <= words; i++)
        if (index(word[i], "="))
            pick[++picks] = word[i]
        else
            word[++kept] = word[i]
    words = kept
}

# Leaves the rows that have it, and these without its column.
function pick_rows(key, value,   i, n, at, columns, fields, kept, text) {
    columns = split(row[1], fields, ",")
    for (at = 1; at <= columns && fields[at] != key;)
        at++
    for (n = 1; n <= rows; n++) {
        split(row[n], fields, ",")
        text = ""
        for (i = 1; i <= columns; i++)
            if (i != at)
                text = text "," fields[i]
        if (n == 1 || fields[at] "" == value "")
            row[++kept] = substr(text, 2)
    }
    rows = kept
    return at <= columns
}

# The parameters are the columns before n.
function write_lab_table(path,   i, columns, fields, grid, good, picked, words_of) {
    csv = path
    rows = read(path, row)
    for (i = 1; i <= picks; i++) {
        split(pick[i], words_of, "=")
        why = path " has no column " words_of[1]
        if (!pick_rows(words_of[1], words_of[2]))
            return 0
        picked = picked words_of[1] " " words_of[2] "; "
    }
    columns = split(row[1], fields, ",")
    split("", place)
    for (i = 1; i <= columns; i++)
        place[fields[i]] = i
    for (i = 2; i <= words; i++) {
        why = path " has no column " word[i]
        if (!(word[i] in place))
            return 0
    }
    grid = place["n"] == 3 && words == 2
    good = grid ? put_lab_grid() : put_lab_rows()
    split(row[2], fields, ",")
    origin = fields[place["device"]] ", n = " fields[place["n"]]
    put("")
    put((origin ~ /^Simulated/ ? "Modelled: " : "Measured: ") (grid ? column_title(word[2]) "; " : "") picked origin \
        " ([`" path "`](" to_root path ")).")
    why = path " has no points"
    return good
}

function put_lab_rows(   i, n, fields, text) {
    split(row[1], fields, ",")
    text = "|"
    for (i = 1; i < place["n"]; i++)
        text = text " " fields[i] " |"
    for (i = 2; i <= words; i++)
        text = text " " column_title(word[i]) " |"
    put_heading(text, "|")
    for (n = 2; n <= rows; n++) {
        split(row[n], fields, ",")
        text = "|"
        for (i = 1; i < place["n"]; i++)
            text = text " " fields[i] " |"
        for (i = 2; i <= words; i++)
            text = text " " lab_cell(fields, word[i]) " |"
        put(text)
    }
    return rows > 1
}

function put_lab_grid(   i, k, n, fields, names, first, second, firsts, seconds, cell, text) {
    for (n = 2; n <= rows; n++) {
        split(row[n], fields, ",")
        if (!((fields[1], "") in cell))
            first[++firsts] = fields[1]
        if (!(("", fields[2]) in cell))
            second[++seconds] = fields[2]
        cell[fields[1], ""] = cell["", fields[2]] = 1
        cell[fields[1], fields[2]] = lab_cell(fields, word[2])
    }
    split(row[1], names, ",")
    text = "| " names[1] " → |"
    for (i = 1; i <= firsts; i++)
        text = text " " first[i] " |"
    put_heading(text, "|")
    for (k = 1; k <= seconds; k++) {
        text = "| " (k == 1 ? names[2] " " : "") second[k] " |"
        for (i = 1; i <= firsts; i++)
            text = text " " ((first[i], second[k]) in cell ? cell[first[i], second[k]] : "–") " |"
        put(text)
    }
    return rows > 1
}

function column_title(key) {
    sub(/_gbs$/, "", key)
    sub(/^percent_of/, "share of the", key)
    sub(/_ms$/, "", key)
    gsub(/_/, " ", key)
    return key
}

# Three digits and the unit; of a point that is none, why in a word.
function lab_cell(fields, key,   text) {
    text = fields[place[key]]
    if (text == "")
        return fields[place["verified"]] == "false" ? "wrong" : "–"
    if (key ~ /_gbs$/)
        return sprintf(text < 999.5 ? "%.3g GB/s" : "%.0f GB/s", text)
    if (key ~ /_ms$/)
        return text < 1 ? sprintf("%.4g µs", text * 1000) : sprintf("%.4g ms", text)
    if (key ~ /^percent|occupancy$/)
        return sprintf("%.3g%%", text)
    return text
}

# A share in three places, a leading zero left out: ".966", "1.004".
function short_share(share) {
    share = sprintf("%.3f", share)
    sub(/^0/, "", share)
    return share
}

# A row a kernel, a column a size: "0.975 (.966–.981)"; of the copy itself its bandwidth.
function write_shares(name,   i, k, n, kernels, sizes, kernel, size, cell, text, fields) {
    why = name " takes a device: that of docs/runs/" name "-<device>.csv"
    if (words != 1)
        return 0
    if (!read_csv(name "-" word[1]) || row[2] !~ /^n,kernel,/) {
        if (rows >= 0)
            why = csv " does not begin as `make bench-gpu` writes it"
        return 0
    }
    for (n = 3; n <= rows; n++) {
        why = csv ":" n " is no row of `make bench-gpu`"
        if (!match(row[n], /,"[^"]+",/) || split(substr(row[n], RSTART + RLENGTH), fields, ",") != 5 ||
            fields[1] * fields[2] * fields[3] * fields[4] * fields[5] == 0)
            return 0
        k = substr(row[n], RSTART + 2, RLENGTH - 4)
        i = substr(row[n], 1, RSTART - 1)
        if (!((k, "") in cell))
            kernel[++kernels] = k
        if (!(("", i) in cell))
            size[++sizes] = i
        cell[k, ""] = cell["", i] = 1
        cell[k, i] = k == kernel[1] ? sprintf(fields[2] < 9999 ? "%.4g GB/s" : "%.0f GB/s", fields[2]) \
            : sprintf("%.3f (%s–%s)", fields[3], short_share(fields[4]), short_share(fields[5]))
    }
    why = csv " has no rows"
    for (i = 1; i <= sizes; i++)
        text = text " n = " size[i] " |"
    put_heading("| share of the copy |" text, "|---|")
    for (k = 1; k <= kernels; k++) {
        text = "| " kernel[k] " |"
        for (i = 1; i <= sizes; i++)
            text = text " " ((kernel[k], size[i]) in cell ? cell[kernel[k], size[i]] : "–") " |"
        put(text)
    }
    put_origin()
    return rows > 2
}

function write_micro(   i, n, values, fields, path) {
    path = "docs/runs/micro-h200.csv"
    n = read(path, row)
    for (; n > 0; n--) {
        split(row[n], fields, ",")
        values[fields[1]] = fields[2] " " fields[3]
    }
    put("| microbenchmark | |")
    put("|---|---:|")
    for (i = 1; i <= words; i++) {
        why = path " has no " word[i]
        if (!(word[i] in values))
            return 0
        put("| `" word[i] "` | " values[word[i]] " |")
    }
    put("")
    put("Measured: NVIDIA H200, `make micro` ([`" path "`](" to_root path ")).")
    return words > 0
}

# Complains about the first line that would change.
function compare(   i, was, is) {
    for (i = 1; i <= old_count || i <= count; i++) {
        was = i <= old_count ? old[i] : "the end of the file"
        is = i <= count ? line[i] : "the end of the file"
        if (was "" != is "") {
            complain(i, "`make walkthrough` would write\n  " is "\nwhere there is\n  " was)
            return
        }
    }
}

# ---- Figures ---------------------------------------------------------------------------------------

# In a document with generated parts, every measured figure in its prose (a time, rate, share or ratio) stands in a
# generated part or is the result of a line of worked arithmetic, in the same section or before; and worked arithmetic
# comes out. A block fenced with ```worked holds one sum a line: "what it is  7 x 6 = 42", the words in front set off
# by two blanks.
function check_figures(   i, first, end, generated, fenced, worked, any, section) {
    split("", known)
    for (i = 1; i <= count; i++) {
        kind[i] = ""
        section[i] = 0
        if (line[i] ~ /^```/) {
            worked = !fenced && line[i] == "```worked"
            fenced = !fenced
        } else if (line[i] == "<!-- end -->")
            generated = 0
        else if (opens(line[i]))
            any = generated = 1
        else if (line[i] !~ /^<!--/) {
            kind[i] = generated ? "generated" : !fenced ? "prose" : worked ? "worked" : ""
            section[i] = kind[i] == "prose" && line[i] ~ /^###? /
        }
    }
    for (first = 1; any && first <= count; first = end) {
        for (end = first + 1; end <= count && !section[end];)
            end++
        for (i = first; i < end; i++)
            if (kind[i] == "generated")
                figures_of(i, line[i], 1)
            else if (kind[i] == "worked")
                work(i)
        for (i = first; i < end; i++)
            if (kind[i] == "prose")
                figures_of(i, line[i], 0)
            else if (kind[i] == "worked" && match(line[i], /.* = /))
                figures_of(i, substr(line[i], 1, RLENGTH - 3), 0)
    }
}

# Reads the figure that the text starts with: its number as it is written, its unit ("" for none, "times" is "×"), its
# value in the unit's base, and the length of all that; 0 when there is none.
function figure(text,   u, behind, blank) {
    if (!match(text, /^[0-9]+(\.[0-9]+)?/))
        return 0
    number = substr(text, 1, RLENGTH)
    behind = substr(text, RLENGTH + 1)
    blank = sub(/^ /, "", behind)
    unit = ""
    factor = 1
    measured = 0
    for (u = 1; u <= UNITS; u++)
        if (index(behind, unit_name[u]) == 1 && substr(behind, length(unit_name[u]) + 1, 1) ~ /^[ -\/:-@[-`{-~]?$/) {
            unit = unit_name[u] == "times" ? "×" : unit_name[u]
            factor = unit_factor[u]
            measured = unit_measured[u]
            return length(number) + blank + length(unit_name[u])
        }
    return length(number)
}

# Adds the measured figures of a text, code in backquotes left out, to those that are known; or complains about those
# that are not.
function figures_of(i, text, add,   size) {
    gsub(/`[^`]*`?/, "`", text)
    while (match(text, /[A-Za-z0-9_.]+/)) {
        if (substr(text, RSTART, 1) !~ /[0-9]/) {
            text = substr(text, RSTART + RLENGTH)
            continue
        }
        text = substr(text, RSTART)
        size = figure(text)
        text = substr(text, size + 1)
        if (measured && add)
            known[number, unit] = 1
        else if (measured && !((number, unit) in known))
            complain(i, "no generated part and no worked line up to here has '" number " " unit "'")
    }
}

# Checks a worked line, and adds its result.
function work(i,   at, expression, value, result, wrong, digits, scale) {
    at = match(line[i], /.* = /) ? RLENGTH : 0
    if (!at || !figure(substr(line[i], at + 1))) {
        complain(i, "worked arithmetic needs a result: 'what it is  7 x 6 = 42'")
        return
    }
    known[number, unit] = 1
    result = number " " unit
    digits = index(number, ".") ? length(number) - index(number, ".") : 0
    wrong = number
    scale = factor
    expression = substr(line[i], 1, at - 3)
    sub(/.*  /, "", expression)
    value = evaluate(expression)
    wrong -= value / scale
    if (value !~ /^-?[0-9]/)
        complain(i, "this is no arithmetic: '" expression "'")
    else if ((wrong < 0 ? -wrong : wrong) > 1.001 * 0.5 / 10 ^ digits)
        complain(i, sprintf("the arithmetic gives %.6g, not %s", value / scale, result))
}

# The value of what is in `token` from `at` on, as far as it belongs to a sum, a product, or one of its factors; `at` is
# behind it then. A quotient by 0 has none: `is_endless` says so.
function sum_from(   value, sign) {
    for (value = product_from(); token[at] ~ /^[-+]$/; value += sign * product_from())
        sign = token[at++] == "+" ? 1 : -1
    return value
}

function product_from(   value, operator, by) {
    for (value = factor_from(); token[at] ~ /^[*\/]$/;) {
        operator = token[at++]
        by = factor_from()
        if (operator == "*")
            value *= by
        else if (by)
            value /= by
        else
            is_endless = 1
    }
    return value
}

function factor_from(   value) {
    if (token[at] != "(")
        return token[at++]
    at++
    value = sum_from()
    at++ # the one that closes it
    return value
}

# The value of figures with + - x / and parentheses ('×' and '*' are 'x'); "" when it has none. Words behind a figure that
# are no unit ("lanes") count as nothing.
function evaluate(text,   form, size, n, value) {
    while (match(text, /[^ ]/)) {
        text = substr(text, RSTART)
        if ((size = figure(text))) {
            token[++n] = number * factor
            form = form "F"
            text = substr(text, size + 1)
            while (sub(/^ *[A-Za-z][A-Za-z]+/, "", text))
                ;
        } else {
            if (!match(text, /^([-+*\/()x]|×)/))
                return ""
            token[++n] = substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
            sub(/x|×/, "*", token[n])
            form = form token[n]
        }
    }
    token[n + 1] = ""
    while (gsub(/\(F([-+*\/]F)*\)/, "F", form))
        ;
    if (form !~ /^F([-+*\/]F)*$/)
        return ""
    at = 1
    is_endless = 0
    value = sum_from()
    return is_endless ? "" : value
}

# ---- Code, messages and links ----------------------------------------------------------------------

# Code in backquotes with an index in it is in one line of a step, whatever its blanks. In a section
# "Troubleshooting", what stands in backquotes in the first cell of a table's row is in the sources: whole, or in
# pieces with " ... " between them for what differs.
function check_spans(   i, text, span, fenced, troubles, n, k, pieces) {
    if (steps == "") {
        steps = output_of("cat steps/*.cu")
        gsub(/[ \t]+/, "", steps)
        sources = output_of("cat src/*/*.c src/sim/*/*.c cupti/*.c Makefile setup.sh")
        gsub(/"\n[ \t]*"/, "", sources) # literals that follow one another are one
    }
    for (i = 1; i <= count; i++) {
        if (line[i] ~ /^```/)
            fenced = !fenced
        if (line[i] ~ /^## /)
            troubles = line[i] == "## Troubleshooting"
        for (text = line[i]; !fenced && match(text, /`[^`]*`/); text = substr(text, RSTART + RLENGTH)) {
            span = substr(text, RSTART + 1, RLENGTH - 2)
            gsub(/[ \t]+/, "", span)
            if ((span ~ /\[/ && span ~ /]/ && span !~ /,/ || span ~ /Idx|<<</) && !index(steps, span))
                complain(i, "no step has the code " substr(text, RSTART, RLENGTH))
        }
        text = substr(line[i], 2)
        sub(/\|.*/, "", text)
        for (; troubles && line[i] ~ /^\|/ && match(text, /`[^`]*`/); text = substr(text, RSTART + RLENGTH)) {
            span = substr(text, RSTART, RLENGTH)
            n = split(substr(span, 2, RLENGTH - 2), pieces, / \.\.\. /)
            for (k = 1; k <= n && index(sources, pieces[k]);)
                k++
            if (k <= n)
                complain(i, "no source prints " span)
        }
    }
}

# Every relative link leads to a file that is there, and to a section of it or lines that it has.
function check_links(   i, text, target, path, place, folder, fenced) {
    folder = document
    sub(/[^\/]*$/, "", folder)
    for (i = 1; i <= count; i++) {
        if (line[i] ~ /^```/)
            fenced = !fenced
        for (text = line[i]; !fenced && match(text, /\]\([^) ]*/); text = substr(text, RSTART + RLENGTH)) {
            target = path = place = substr(text, RSTART + 2, RLENGTH - 2)
            if (target ~ /^https?:\/\//)
                continue
            sub(/#.*/, "", path)
            path = path == "" ? document : folder path
            if (!there(path))
                complain(i, "the link (" target ") leads nowhere: there is no " path)
            else if (sub(/^[^#]*#/, "", place) && !has_place(path, place))
                complain(i, "the link (" target ") leads nowhere: " path " has no such place")
        }
    }
}

function there(path) {
    if (!(path in is_there))
        is_there[path] = system("test -e '" path "'") == 0
    return is_there[path]
}

# Whether the file has what a link names behind '#': a section by the anchor that GitHub gives it, or in code a line
# ("L11-L18").
function has_place(path, place,   i, n, lines, text, fenced) {
    n = read(path, lines)
    if (path !~ /\.md$/) {
        sub(/.*L/, "", place)
        return place + 0 > 0 && place + 0 <= n
    }
    for (i = 1; i <= n; i++) {
        text = lines[i]
        if (text ~ /^```/)
            fenced = !fenced
        if (fenced || !sub(/^#+ /, "", text))
            continue
        gsub(/[^A-Za-z0-9_ \200-\377-]/, "", text)
        gsub(/ /, "-", text)
        if (tolower(text) == place)
            return 1
    }
    return 0
}
