//===- CompileSets.cpp - Coefficients as bytes ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of the build: writes a C++ file that defines compiledSets(), so
// that no process parses the text of coefficients or computes their hash.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/CoefficientsPin.h"
#include "gpucost/Core/Targets/TargetData.h"
#include <cstdio>
#include <fstream>
#include <iostream>

using namespace gpucost;

Span<CompiledSet> gpucost::compiledSets() { return {}; }

/// `bytes` as a C++ literal, in lines.
static void writeLiteral(std::ostream &os, std::string_view bytes) {
  constexpr size_t lineBytes = 32;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % lineBytes == 0)
      os << (i ? "\"\n   \"" : "\"");
    char octal[5];
    std::snprintf(octal, sizeof(octal), "\\%03o",
                  static_cast<unsigned char>(bytes[i]));
    os << octal;
  }
  os << "\"sv";
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " OUTPUT\n";
    return 1;
  }
  std::ofstream os(argv[1]);
  os << "// Generated; do not edit.\n"
        "#include \"gpucost/Core/Targets/EmbeddedFile.h\"\n\n"
        "using namespace std::string_view_literals;\n\n"
        "gpucost::Span<gpucost::CompiledSet> gpucost::compiledSets() {\n"
        "  static constexpr CompiledSet sets[] = {\n";
  for (const EmbeddedFile &file : embeddedCoefficients()) {
    os << "  {\"" << file.name << "\", \""
       << hashCoefficients(*findCompiledCoefficients(file.name)) << "\",\n   ";
    writeLiteral(os, encodeCompiledSet(file));
    os << "},\n";
  }
  os << "  };\n  return sets;\n}\n";
  os.close();
  if (os)
    return 0;
  std::cerr << argv[1] << ": cannot be written\n";
  return 1;
}
