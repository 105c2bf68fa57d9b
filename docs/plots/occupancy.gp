# Achieved occupancy beside the theoretical one, step by step. data: ./run export RUN
load "docs/plots/style.gp"
stats data using "theoretical_occupancy" nooutput
rows = STATS_records

stats data using (device = strcol("device"), provenance = strcol("achieved_occupancy_provenance"), column("n")) nooutput
run_n = STATS_max # a serial step may be at a smaller n
set title sprintf("Occupancy of each step: %s, n = %d", device, run_n) noenhanced
eval says("Occupancy is no goal in itself: hold these bars beside those of the bandwidths.")
title_at(step, n) = title(step).(n < run_n ? sprintf(" (n = %d)", n) : "")
set xlabel "occupancy (% of the warps that an SM holds)"
set xrange [0 : 114]
set xtics 0,20,100
set yrange [-rows + 0.4 : 0.6]
set border 1
unset grid
set grid xtics lc rgb "#D0D0D0"
set ytics scale 0
set key outside center top horizontal maxrows 1 width -2 # else the last sample is cut off
set style fill solid 0.9 noborder
label(percent) = sprintf(percent == int(percent) ? "%.0f" : "%.1f", percent)
is_long(percent) = percent > 20 # then the achieved one's label goes inside the bar, away from the other's
inside(percent) = is_long(percent) ? percent : NaN
beside(percent) = is_long(percent) ? NaN : percent
plot data using (0):(-$0):(0):(column("theoretical_occupancy")):(-$0):(-$0+0.38) \
         with boxxyerror lc rgb sky title "theoretical", \
     data using (0):(-$0):(0):(column("achieved_occupancy")):(-$0-0.38):(-$0) \
         with boxxyerror lc rgb blue title "achieved, ".provenance, \
     data using (column("theoretical_occupancy")):(-$0+0.19):(label(column("theoretical_occupancy"))) \
         with labels left offset 0.7,0 font ",18" notitle, \
     data using (inside(column("achieved_occupancy"))):(-$0-0.19):(label(column("achieved_occupancy"))) \
         with labels right offset -0.7,0 font ",18" tc rgb "white" notitle, \
     data using (beside(column("achieved_occupancy"))):(-$0-0.19):(label(column("achieved_occupancy"))) \
         with labels left offset 0.7,0 font ",18" notitle, \
     data using (0):(-$0):ytic(title_at(column("step"), column("n"))) \
         with dots lc rgb "white" notitle
