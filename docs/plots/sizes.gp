# Time over n, a curve a step, and the device's own copy. data: ./run export RUN..., or ./run sweep --csv
load "docs/plots/style.gp"
stats data using (device = strcol("device"), provenance = strcol("time_ms_provenance"), column("n")) nooutput

set title "Time over the size of the matrix: ".device noenhanced
eval says("A curve along the dashed line is as fast as a copy; a bend upwards is a size at which something gets in the way.")
set xlabel "n, of n x n floats; logarithmic"
set ylabel "time (ms), ".provenance."; logarithmic"
set logscale x 2
set logscale y
set format y "%g"
set xrange [STATS_min / 1.2 : STATS_max * 1.2]
set key outside right center Left reverse
copy_ms(n, gbs) = 8.0 * n * n / gbs / 1e6
last = word(steps, words(steps)) + 0
plot for [s in steps] data \
         using "n":(column("step") == s + 0 ? column("time_ms") : NaN) with linespoints lw 4 ps 2.5 \
         lc rgb color(s) pt shape(s) title title(s) noenhanced, \
     data using "n":(column("step") == last ? copy_ms(column("n"), column("copy_gbs")) : NaN) \
         with lines lw 3 dt 2 lc rgb black title "the device's own copy"
