# Language, build type, ccache, warnings: what every target of the project shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Programs too, with the flag of the libraries: a precompiled header fits only what is compiled like it.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

option(TROUPE_WERROR "Treat warnings as errors" OFF)
option(TROUPE_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers need these two kinds of sloppiness to be cached at all.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
endif()

add_library(troupe_options INTERFACE)
target_include_directories(troupe_options INTERFACE "${CMAKE_SOURCE_DIR}")
# No fused multiply-add behind our back: pixels are the same numbers on every machine.
target_compile_options(troupe_options INTERFACE -ffp-contract=off)
target_compile_options(troupe_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                                -Wconversion $<$<BOOL:${TROUPE_WERROR}>:-Werror>)
# Precompiled headers are found again by ccache only when the preprocessor output names them.
target_compile_options(troupe_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
if(TROUPE_SANITIZE)
  target_compile_options(troupe_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=undefined
                                                  # CAF 0.17 forms a null reference where it spawns functions.
                                                  -fno-sanitize=null)
  target_link_options(troupe_options INTERFACE -fsanitize=address,undefined)
endif()
