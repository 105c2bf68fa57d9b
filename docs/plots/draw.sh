#!/bin/sh
# Draws the plots as SVG and PNG with gnuplot, from what `make plots` names:
#   draw.sh OUT RUN SWEEP PREDICTIONS SIZE...
# OUT: the folder for them, and for the data, as CSV. RUN: a recorded run, for the bandwidth ladder and for
# occupancy. SWEEP: a file of ./run sweep --csv for the time over n, or "" for the kit's recorded runs.
# PREDICTIONS: the folder that has steps-SIZE.json for each size, which is set against the run that was
# recorded at this size.
set -eu
out=$1 run=$2 sweep=$3 predictions=$4
shift 4
mkdir -p "$out"

./run export "$run" --csv "$out/run.csv"
if [ -n "$sweep" ]; then
    cp "$sweep" "$out/sizes.csv"
else
    # shellcheck disable=SC2046 # a list of words, and no name in it has a blank
    ./run export $(ls docs/runs/h200-[0-9]*.json | sort -V) --csv "$out/sizes.csv"
fi
files=
for n in "$@"; do
    ./run compare "docs/runs/h200-$n.json" "$predictions/steps-$n.json" --csv "$out/prediction-$n.csv"
    files="$files $out/prediction-$n.csv"
done
sizes=$(echo "$*" | sed 's/ /, /g')

for format in svg png; do
    to() { echo "format='$format'; out='$out/$1.$format'"; }
    gnuplot -e "$(to ladder); data='$out/run.csv'" docs/plots/ladder.gp
    gnuplot -e "$(to occupancy); data='$out/run.csv'" docs/plots/occupancy.gp
    gnuplot -e "$(to sizes); data='$out/sizes.csv'" docs/plots/sizes.gp
    gnuplot -e "$(to prediction); files='$files'; sizes='$sizes'" docs/plots/prediction.gp
done
ls "$out"/*.svg "$out"/*.png
