//===- ParseMlir.cpp - MLIR that this version may not know ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseMlir.h"
#include "FrontEnd.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Transforms/Structure/ForeignFunctions.h"
#include "gpucost/Core/Support/Nesting.h"
#include "mlir/Bytecode/Encoding.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace gpucost;

bool gpucost::isBytecode(llvm::StringRef contents) {
  return contents.starts_with(bytecodeMagic);
}

/// Who wrote bytecode: " (bytecode version 6 of MLIR22.1.8)".
static std::string describeProducer(llvm::StringRef contents) {
  contents = contents.drop_front(bytecodeMagic.size());
  // A version up to 127 is one byte: twice the version plus 1.
  if (contents.empty() || !(contents.front() & 1))
    return "";
  unsigned version = static_cast<unsigned char>(contents.front()) / 2;
  llvm::StringRef producer = contents.drop_front();
  size_t end = producer.find('\0');
  return (" (bytecode version " + llvm::Twine(version) + " of " +
          producer.take_front(end == llvm::StringRef::npos ? 0 : end) + ")")
      .str();
}

/// The op that MLIR's parser does not know, from its message; "" if the message
/// is about something else.
static llvm::StringRef findUnknownOp(llvm::StringRef message) {
  // "Dialect `tt' not found for custom op 'tt.load'"; "custom op 'a.b' is
  // unknown".
  size_t at = message.find("custom op '");
  if (at == llvm::StringRef::npos)
    return "";
  return message.substr(at).split('\'').second.split('\'').first;
}

namespace {
/// The parser's message about an input that it cannot know.
struct HeldMessage {
  Location location;
  std::string text; ///< of bytecode; else the name of the op
};
} // namespace

static void reportBytecode(const HeldMessage &held, llvm::StringRef contents,
                           llvm::StringRef name) {
  emitError(UnknownLoc::get(held.location->getContext()))
      << name << ": MLIR " << LLVM_VERSION_MAJOR << " cannot read this bytecode"
      << describeProducer(contents) << ": " << held.text
      << "; print the module as text in generic form "
         "(--mlir-print-op-generic), or write bytecode of version "
      << static_cast<unsigned>(bytecode::kVersion)
      << " (--emit-bytecode-version) without newer dialects";
}

/// How to lower an op of a front end's dialect to ops that are modelled; "" for
/// others.
static std::string describeLowering(llvm::StringRef op) {
  llvm::StringRef dialect = op.split('.').first;
  llvm::StringRef way =
      llvm::StringSwitch<llvm::StringRef>(dialect)
          .Cases({"torch", "torch_c"},
                 "lower it with torch-mlir-opt "
                 "--torch-backend-to-linalg-on-tensors-backend-pipeline")
          .Cases(
              {"stablehlo", "chlo", "mhlo", "vhlo"},
              "lower it with stablehlo-opt --stablehlo-legalize-to-linalg or "
              "iree-compile --compile-to=input")
          .Cases({"util", "flow", "hal", "stream"},
                 "print it with iree-opt --mlir-print-op-generic, or with "
                 "iree-compile --compile-to=input before the dispatches")
          .Cases({"tt", "ttg", "ttng"},
                 "query the kernel with its schedule (--kernel='matmul ... "
                 "tile_m=128')")
          .Default("");
  return way.empty() ? "" : ("; to have its ops modelled, " + way).str();
}

static void reportSyntax(const HeldMessage &held) {
  emitError(held.location)
      << "'" << held.text << "' is written in a syntax that MLIR "
      << LLVM_VERSION_MAJOR
      << " does not know; print the module in generic form "
         "(--mlir-print-op-generic; in Python "
         "get_asm(print_generic_op_form=True)), in which ops of any dialect "
         "are counted by their bytes"
      << describeLowering(held.text);
}

/// False after a diagnostic if MLIR assembly is nested too deep for a parser.
static bool isParsable(MLIRContext &context, llvm::StringRef contents,
                       llvm::StringRef name) {
  std::optional<TextPlace> place =
      findDeepNesting(contents, NestedSyntax::Mlir);
  if (!place)
    return true;
  emitError(FileLineColLoc::get(&context, name,
                                static_cast<unsigned>(place->line),
                                static_cast<unsigned>(place->column)))
      << llvm::StringRef(deepNestingText());
  return false;
}

/// Erases a module from bytecode whose regions are nested more than
/// `deepestNesting` deep: verifiers, passes and destructors are recursive.
static bool eraseIfDeep(OwningOpRef<ModuleOp> &module) {
  SmallVector<std::pair<Operation *, size_t>> ops = {
      {module->getOperation(), 1}};
  bool isDeep = false;
  for (size_t i = 0; i < ops.size(); ++i) {
    auto [op, depth] = ops[i];
    isDeep |= depth > deepestNesting;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        ops.push_back({&inner, depth + 1});
  }
  if (!isDeep)
    return false;
  (void)module.release();
  for (auto [op, depth] : llvm::reverse(ops)) {
    op->dropAllUses();
    op->erase();
  }
  return true;
}

/// Reads bytecode; verifies it only if its nesting allows that.
static OwningOpRef<ModuleOp> readBytecode(MLIRContext &context,
                                          llvm::StringRef contents,
                                          llvm::StringRef name) {
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = parseSourceString<ModuleOp>(contents, config, name);
  if (module && eraseIfDeep(module))
    emitError(UnknownLoc::get(&context)) << llvm::StringRef(deepNestingText());
  else if (module && failed(verify(*module)))
    module = nullptr;
  return module;
}

OwningOpRef<ModuleOp> gpucost::parseMlir(MLIRContext &context,
                                         llvm::StringRef contents,
                                         llvm::StringRef name) {
  bool bytecode = isBytecode(contents);
  if (!bytecode && !isParsable(context, contents, name))
    return nullptr;
  std::optional<HeldMessage> held;
  auto hold = [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    std::string text = diagnostic.str();
    std::string kept = bytecode ? text : findUnknownOp(text).str();
    if (kept.empty())
      return failure();
    if (!held)
      held = HeldMessage{diagnostic.getLocation(), kept};
    return success();
  };
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler handler(&context, hold);
    module = parseModule(context, [&] {
      return bytecode ? readBytecode(context, contents, name)
                      : parseSourceString<ModuleOp>(contents, &context, name);
    });
  }
  if (module) {
    adoptForeignFunctions(*module);
    chooseRuntime(*module);
  } else if (held && bytecode)
    reportBytecode(*held, contents, name);
  else if (held)
    reportSyntax(*held);
  return module;
}
