# the wide kernel has no guards: 64 divides the n it was tried at.
s/if (x < n && y < n) {/{/
