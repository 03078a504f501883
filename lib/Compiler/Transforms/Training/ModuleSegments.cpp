//===- ModuleSegments.cpp - Recomputation of named modules ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The name of a node, "/blocks.0/att/MatMul", contains the path of its module.

#include "TrainingGraph.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/NodeName.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

namespace {

using Path = SmallVector<StringRef, 8>;

/// A call of a checkpointed part: the modules that it contains and the values
/// of their wildcards, and the position of an op's module among them.
struct Place {
  std::string call;
  size_t member;
};

/// Patterns of modules such as "blocks.*.att+blocks.*.mlp".
class ModulePatterns {
public:
  explicit ModulePatterns(ArrayRef<std::string> texts) {
    for (const std::string &text : texts) {
      SmallVector<StringRef> members;
      StringRef(text).split(members, '+');
      SmallVector<Path> &group = groups.emplace_back();
      for (StringRef member : members)
        member.split(group.emplace_back(), '.');
    }
  }

  /// The first pattern that matches a module or one that contains it.
  std::optional<Place> find(StringRef node) const {
    SmallString<64> text(node.substr(0, node.rfind('/')).ltrim('/'));
    llvm::replace(text, '/', '.');
    Path path;
    text.str().split(path, '.');
    for (auto [i, group] : llvm::enumerate(groups))
      for (auto [k, member] : llvm::enumerate(group)) {
        std::string call = std::to_string(i);
        if (matches(member, path, call))
          return Place{call, k};
      }
    return std::nullopt;
  }

private:
  /// Appends the values of wildcards to `call`.
  static bool matches(const Path &pattern, const Path &path,
                      std::string &call) {
    if (path.size() < pattern.size())
      return false;
    for (auto [expected, part] : llvm::zip(pattern, path)) {
      if (expected == "*")
        call += ("." + part).str();
      else if (expected != part)
        return false;
    }
    return true;
  }

  SmallVector<SmallVector<Path>> groups;
};

} // namespace

SmallVector<Segment>
gpucost::training::findModules(TrainingGraph &graph,
                               ArrayRef<std::string> texts) {
  ModulePatterns patterns(texts);
  SmallVector<Segment> segments;
  Place last;
  // Ops after the last one of the current call.
  SmallVector<Operation *> after;
  bool otherModules = false;
  for (Operation &op : graph.block().without_terminator()) {
    // Ops of the loss have the locations of the outputs.
    if (op.getNumOperands() == 0 || op.hasAttr("onnx.constant") ||
        op.hasAttr(phaseAttrName))
      continue;
    StringRef name = getNodeName(op.getLoc());
    std::optional<Place> place = patterns.find(name);
    if (!place) {
      after.push_back(&op);
      otherModules |= !name.empty();
      continue;
    }
    // A module may be called several times; ops between two modules of one call
    // belong to it.
    bool continues = !segments.empty() && place->call == last.call &&
                     (!otherModules || place->member > last.member);
    if (!continues)
      segments.emplace_back();
    else
      llvm::append_range(segments.back().ops, after);
    segments.back().ops.push_back(&op);
    last = *place;
    after.clear();
    otherModules = false;
  }
  return segments;
}
