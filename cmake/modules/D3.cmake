# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The chart library of pages: D3 5 and its licence, from Debian's package node-d3 or
# from GPUCOST_D3 and GPUCOST_D3_LICENSE. Sets gpucost_d3 and gpucost_d3_license, empty
# without D3: such a build does not support --report=html.
find_file(GPUCOST_D3 d3.min.js PATHS /usr/share/nodejs/d3/dist NO_CMAKE_FIND_ROOT_PATH
          DOC "d3.min.js of D3 5, for --report=html")
find_file(GPUCOST_D3_LICENSE copyright PATHS /usr/share/doc/node-d3 NO_CMAKE_FIND_ROOT_PATH
          DOC "licence of GPUCOST_D3, which pages repeat")
set(gpucost_d3 "")
set(gpucost_d3_license "")
if(NOT GPUCOST_D3 OR NOT GPUCOST_D3_LICENSE)
  message(STATUS "No D3 5 with its licence (Debian: node-d3): built without --report=html")
else()
  foreach(file "${GPUCOST_D3}" "${GPUCOST_D3_LICENSE}")
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "no file '${file}'; set GPUCOST_D3 and GPUCOST_D3_LICENSE, or GPUCOST_D3=OFF for a build without pages")
    endif()
  endforeach()
  file(STRINGS "${GPUCOST_D3}" first LIMIT_COUNT 1 LENGTH_MAXIMUM 200)
  if(first MATCHES "d3js.org v5\\.")
    set(gpucost_d3 "${GPUCOST_D3}")
    set(gpucost_d3_license "${GPUCOST_D3_LICENSE}")
  else()
    message(WARNING "${GPUCOST_D3} is not D3 5: built without --report=html")
  endif()
endif()
