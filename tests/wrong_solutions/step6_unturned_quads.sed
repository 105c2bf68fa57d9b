# a thread stores its rows as it loaded them: nobody turns its 4 x 4 elements.
s/make_float4(row\[0\]\.x,.*/row[0];/
s/make_float4(row\[0\]\.y,.*/row[1];/
s/make_float4(row\[0\]\.z,.*/row[2];/
s/make_float4(row\[0\]\.w,.*/row[3];/
