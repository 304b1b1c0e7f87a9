/// doctest for the project's tests. Include it last: torch's logging headers also define CHECK and would win.
#pragma once

#ifdef CHECK
#undef CHECK
#endif
#include <doctest/doctest.h>
