# Predicted against measured time. files: of ./run compare MEASURED PREDICTED --csv, with blanks between
data = word(files, 1)
title_column = 2
load "docs/plots/style.gp"
ms(column_name) = strcol("quantity") eq "time_ms" ? column(column_name) : NaN
least = 1e9
most = 0
do for [file in files] {
    stats file using (ms("a")) nooutput
    least = STATS_min < least ? STATS_min : least
    most = STATS_max > most ? STATS_max : most
}

set title "Predicted against measured time, n = ".sizes noenhanced
eval says("A mark on the line was predicted exactly; of one outside the band the model misses something.")
set xlabel "measured time (ms), logarithmic"
set ylabel "predicted time (ms), logarithmic"
set logscale xy
set format xy "%g"
set xrange [least / 2 : most * 2]
set yrange [least / 2 : most * 2]
set key outside right center Left reverse
set size ratio 1
set style fill solid 0.25 noborder
plot "+" using 1:($1 * 0.75):($1 * 1.25) with filledcurves lc rgb grey title "within 25 %", \
     x with lines lw 3 lc rgb black title "predicted = measured", \
     for [s in steps] for [file in files] file \
         using (column("step") == s + 0 ? ms("a") : NaN):(ms("b")) with points ps 3 lw 3 \
         lc rgb color(s) pt shape(s) notitle, \
     for [s in steps] NaN with points ps 3 lw 3 lc rgb color(s) pt shape(s) \
         title title(s) noenhanced
