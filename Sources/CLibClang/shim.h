// The types of libclang's interface alone: the library is opened at run time, so that Swift is linted where it is missing.
#include <clang-c/Index.h>
