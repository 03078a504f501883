//===- Describe.cpp - Node names in errors --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpucost::importer;

/// `text` with non-printable characters escaped, limited to one line.
static std::string printable(llvm::StringRef text) {
  constexpr size_t longest = 120;
  std::string result;
  llvm::raw_string_ostream stream(result);
  llvm::printEscapedString(text.take_front(longest), stream);
  if (text.size() > longest)
    stream << "...";
  return result;
}

std::string gpucost::importer::quoted(llvm::StringRef text) {
  return "'" + printable(text) + "'";
}

std::string gpucost::importer::describe(const pb::NodeProto &node,
                                        unsigned index, const Scope *scope) {
  std::string text = "node " + std::to_string(index);
  if (!node.name().empty())
    text += " " + quoted(node.name());
  text += " (" + printable(node.op_type()) + ")";
  if (!scope || !scope->call)
    return text;
  text += " of function " + quoted(scope->call->op_type());
  // The outermost call is the one that users find in the graph.
  while (scope->caller->call)
    scope = scope->caller;
  return text + " called by " +
         describe(*scope->call, scope->callIndex, nullptr);
}
