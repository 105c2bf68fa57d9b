# Takes the memory chart of a report's first step (./run report RUN -o -) as a picture of its own, in the report's colours
# on a light sheet:
#
#   ./run report RUN -o - | awk -f docs/draw/memory.awk >FILE.svg
#
# `make pictures` types it, in the kit's folder. Exit status: 0, or 1 after a message on standard error.

/<svg class="memory"/ && !lines {
    sub(/<svg /, "<svg xmlns=\"http://www.w3.org/2000/svg\" ")
    print
    print "<style>"
    while ((getline line < "src/files/html/style.css") > 0 && line !~ /^}/)
        print line
    print "}"
    while ((getline line < "src/files/html/chart.css") > 0)
        print line
    print "</style>\n<rect width=\"560\" height=\"444\" fill=\"#ffffff\"/>"
    lines = inside = 1
    next
}

inside {
    print
    if (/<\/svg>/)
        inside = 0
}

END {
    if (!lines) {
        print "memory.awk: there is no memory chart in the report" > "/dev/stderr"
        exit 1
    }
}
