//===- PackedLengths.h - Documents in one sequence --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --packed-lengths: training sequences that each contain several documents. A
// query attends to the tokens of its document.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_PACKEDLENGTHS_H
#define GPUCOST_CORE_SUPPORT_PACKEDLENGTHS_H

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gpucost {

/// `count` documents of `tokens` tokens; both at least 1.
struct DocumentLength {
  int64_t tokens = 1, count = 1;
};
using PackedLengths = std::vector<DocumentLength>;

/// "1024", "512:3,2048:1" (three documents of 512 tokens for each of 2048), or
/// the length of each document, "512,2048,512,512". Shortest first, each length
/// once; nullopt for other text.
std::optional<PackedLengths> parsePackedLengths(std::string_view text);
bool isPackedLengths(std::string_view text);
/// Description of valid texts, for diagnostics.
inline constexpr const char *packedLengthsExpected =
    "tokens of each document, several lengths separated by commas, or lengths "
    "with numbers of documents (512:3,2048:1)";

/// The documents that sequences of `tokens` tokens contain: longer ones are cut
/// into whole sequences and a rest. `tokens` is at least 1.
PackedLengths cutDocuments(const PackedLengths &lengths, int64_t tokens);
/// Tokens of all documents.
double tokensOf(const PackedLengths &lengths);
/// Length of the document of a token, the mean over all tokens.
double lengthAtToken(const PackedLengths &lengths);

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_PACKEDLENGTHS_H
