# What all plots have in common. Given on the command line: format (svg or png), out, the file to write, and
# data, the file to read.
if (format eq "svg") set terminal svg size 1600,900 font "DejaVu Sans,26" background "white"
if (format eq "png") set terminal pngcairo size 1600,900 font "DejaVu Sans,26" background "white"
set output out
set encoding utf8

set datafile separator comma
set datafile columnheaders
set datafile missing NaN # an empty field, or what does not belong to a curve

# Okabe and Ito's colours for all kinds of colour vision (Color Universal Design, 2008), the yellow left
# out, which is faint on white. Shapes differ too.
blue = "#0072B2"; vermilion = "#D55E00"; green = "#009E73"; purple = "#CC79A7"
orange = "#E69F00"; sky = "#56B4E9"; black = "#000000"; grey = "#808080"
array Color[7] = [vermilion, blue, green, purple, orange, sky, black]
array Shape[7] = [7, 5, 9, 13, 11, 15, 3]

# A step's place among those that are drawn, from 0. In the second round of colours the shapes are others, and so on: no
# two of 49 have both.
place_of(step) = sum [i=1:words(steps)] (word(steps, i) + 0 < step + 0)
color(step) = Color[place_of(step) % 7 + 1]
shape(step) = Shape[(place_of(step) + place_of(step) / 7) % 7 + 1]

set grid lc rgb "#D0D0D0" lw 1
set border 3 lw 2
set tics nomirror
set key spacing 1.1 samplen 1.5 font ",18"

# A sentence below the picture, of what to see in it: says("...").
set bmargin 5.4
says(sentence) = sprintf("set label 99 \"%s\" at screen 0.5, screen 0.035 center font ',19' tc rgb grey noenhanced", sentence)

# What to call the step of a row: "5. padded tile, fewer threads". strcol() and a column's name would end it
# at its comma, a column's number does not: so the names come from a table without commas between its fields.
if (!exists("title_column")) title_column = 3
array Title[1000]
do for [i=1:1000] { Title[i] = "" }
place(step) = int(10 * step + 0.5) # a published run's step may have a fraction
title(step) = sprintf("%g. %s", step + 0, Title[place(step)])
set table $Names
plot data using "step":"step":title_column with labels
unset table
unset datafile columnheaders
set datafile separator whitespace
stats $Names using (Title[place($1)] = strcol(3), $1) nooutput
steps = "" # their numbers
do for [i=1:1000] { if (Title[i] ne "") { steps = steps.sprintf(" %g", i / 10.0) } }
set datafile columnheaders
set datafile separator comma
