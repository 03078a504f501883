# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Script of lib/Core/Report/CMakeLists.txt: the files of a page as C++.
#   OUTPUT  file to write
#   FILES   styles and scripts, in order
#   D3, D3_LICENSE  chart library and its licence; empty: pages are left out
set(text "// Generated; do not edit.\n#include \"PageFiles.h\"\n\n")
string(APPEND text "gpucost::Span<gpucost::PageFile> gpucost::pageFiles() {\n")
string(APPEND text "  static constexpr PageFile files[] = {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" content)
  # Pages need not repeat the licence line of each file.
  string(REGEX REPLACE "^[^\n]*SPDX[^\n]*\n" "" content "${content}")
  string(APPEND text "      {\"${name}\", R\"gpucost(${content})gpucost\"},\n")
endforeach()
if(D3)
  file(READ "${D3}" library)
  file(READ "${D3_LICENSE}" license)
  string(APPEND text "      {\"d3.js\", R\"gpucost(${library})gpucost\"},\n")
  string(APPEND text "      {\"d3.license\", R\"gpucost(${license})gpucost\"},\n")
endif()
string(APPEND text "  };\n  return files;\n}\n")
file(WRITE "${OUTPUT}" "${text}")
