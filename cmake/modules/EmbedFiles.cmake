# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Script that gpucost_embed_files runs.
set(text "// Generated; do not edit.\n#include \"gpucost/Core/Targets/EmbeddedFile.h\"\n\n")
string(APPEND text "using namespace std::string_view_literals;\n\n")
string(APPEND text "gpucost::Span<gpucost::EmbeddedFile> gpucost::${FUNCTION}() {\n")
string(APPEND text "  static constexpr EmbeddedFile files[] = {\n")
list(SORT FILES)
foreach(file IN LISTS FILES)
  get_filename_component(stem "${file}" NAME_WLE)
  file(READ "${file}" content)
  string(APPEND text "      {\"${stem}\", R\"gpucost(${content})gpucost\"sv},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n")
file(WRITE "${OUTPUT}" "${text}")
