# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ccache, where it is installed, so that a plain `ninja` uses it and checkouts
# in different folders share results. Another CMAKE_CXX_COMPILER_LAUNCHER is
# not changed; -DGPUCOST_CCACHE=OFF compiles without ccache.
#   sloppiness      required by clang to cache a file that uses a precompiled header
#   PCH_EXTSUM      the checksum next to the precompiled header (PrecompiledHeader.cmake)
#                   replaces its bytes, which name the build folder
#   DEPEND          the compiler's list of headers is hashed after a miss, so that the
#                   preprocessor does not run twice
option(GPUCOST_CCACHE "Compile through ccache if it is installed" ON)
find_program(GPUCOST_CCACHE_PROGRAM ccache)
mark_as_advanced(GPUCOST_CCACHE_PROGRAM)

get_filename_component(launcher "${CMAKE_CXX_COMPILER_LAUNCHER}" NAME)
if(GPUCOST_CCACHE AND GPUCOST_CCACHE_PROGRAM AND launcher MATCHES "^(ccache)?$")
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true
          CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=true CCACHE_DEPEND=true
          ${GPUCOST_CCACHE_PROGRAM})
endif()
