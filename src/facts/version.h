// The kit's version, in --version and in the JSON.
#ifndef VERSION_H
#define VERSION_H

#define KIT_VERSION "0.1.0"

#endif
