# The bandwidth ladder: each step's against the roof, the device's own copy. data: ./run export RUN
load "docs/plots/style.gp"
roof = 0 # where the run has no copy
stats data using (column("copy_gbs") > roof ? (roof = column("copy_gbs")) : roof) nooutput
stats data using "bandwidth_gbs" nooutput
least = 10.0 ** floor(log10(STATS_min) - 0.3)
rows = STATS_records

stats data using (device = strcol("device"), provenance = strcol("bandwidth_gbs_provenance"), column("n")) nooutput
run_n = STATS_max # a serial step may be at a smaller n
set title sprintf("Bandwidth of each step: %s, n = %d", device, run_n) noenhanced
eval says("What lies between a bar and the line, the device's own copy, is all that there is left to gain.")
title_at(step, n) = title(step).(n < run_n ? sprintf(" (n = %d)", n) : "")
set xlabel "useful bandwidth (GB/s), ".provenance."; logarithmic"
set logscale x
most = roof > STATS_max ? roof : STATS_max
set xrange [least : most * 1.5]
set yrange [-rows : 1]
set border 1
unset grid
set grid xtics lc rgb "#D0D0D0"
set ytics scale 0
if (roof > 0) {
    set arrow from roof, graph 0 to roof, graph 1 nohead lw 4 dt 2 lc rgb vermilion front
    set label sprintf("the device's own copy: %.0f", roof) at roof, graph 0.97 right offset -1,0 \
        tc rgb vermilion noenhanced
    set label "of copy" at graph 1, graph 0.97 right offset 8,0
    set rmargin 11
}
set style fill solid 0.9 noborder
label(gbs) = sprintf(gbs < 10 ? "%.2f" : "%.0f", gbs)
is_long(gbs) = log10(gbs / least) > 0.3 * log10(most / least) # the label goes inside the bar
inside(gbs) = is_long(gbs) ? gbs : NaN
of_copy(gbs) = roof > 0 ? sprintf(gbs / roof < 0.1 ? "%.2f%%" : "%.1f%%", 100 * gbs / roof) : ""
beside(gbs) = is_long(gbs) ? NaN : gbs
plot data using (least):(-$0):(least):(column("bandwidth_gbs")):(-$0-0.35):(-$0+0.35) \
         with boxxyerror lc rgb blue notitle, \
     data using (inside(column("bandwidth_gbs"))):(-$0):(label(column("bandwidth_gbs"))) \
         with labels right offset -0.7,0 tc rgb "white" notitle, \
     data using (beside(column("bandwidth_gbs"))):(-$0):(label(column("bandwidth_gbs"))) \
         with labels left offset 0.7,0 notitle, \
     data using (most * 1.5):(-$0):(of_copy(column("bandwidth_gbs"))) with labels right offset 8,0 notitle, \
     data using (least):(-$0):ytic(title_at(column("step"), column("n"))) \
         with dots lc rgb "white" notitle
