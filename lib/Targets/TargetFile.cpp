//===- TargetFile.cpp - Contents of target and coefficient files ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetFile.h"
#include "gpucost/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Model/Gpu.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace gpucost;

static void append(std::string &messages, Diagnostic &diagnostic) {
  llvm::raw_string_ostream os(messages);
  if (!messages.empty())
    os << '\n';
  if (auto at = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
    os << at.getFilename().getValue() << ':' << at.getLine() << ':'
       << at.getColumn() << ": ";
  os << diagnostic;
}

static llvm::Error readAttributes(ModuleOp module, StringRef file,
                                  DataFile &data) {
  // The verifier has seen their types.
  data.gpu = module->getAttrOfType<GpuAttr>(gpuAttrName);
  data.coefficients =
      module->getAttrOfType<CoefficientsAttr>(coefficientsAttrName);
  if (auto aliases = module->getAttrOfType<ArrayAttr>(aliasesAttrName))
    for (auto alias : aliases.getAsRange<StringAttr>())
      data.aliases.push_back(alias.str());
  if (auto from = module->getAttrOfType<StringAttr>(coefficientsFromAttrName))
    data.coefficientsFrom = from.str();
  if (auto from = module->getAttrOfType<StringAttr>(transferredFromAttrName))
    data.transferredFrom = from.str();
  auto format = module->getAttrOfType<StringAttr>(defaultFormatAttrName);
  if (!format)
    return llvm::Error::success();
  data.defaultFormat = symbolizeNumericFormat(format.getValue());
  if (data.defaultFormat && data.gpu && data.gpu->find(*data.defaultFormat))
    return llvm::Error::success();
  return llvm::createStringError(file + ": expected '" + defaultFormatAttrName +
                                 "' to be a format of the GPU, but got '" +
                                 format.getValue() + "'");
}

llvm::Expected<DataFile>
gpucost::parseDataFile(MLIRContext *context, StringRef text, StringRef name) {
  context->getOrLoadDialect<GpuCostDialect>();
  std::string messages;
  OwningOpRef<ModuleOp> module;
  {
    uint64_t thread = llvm::get_threadid();
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      // Passes on other threads have handlers of their own.
      if (llvm::get_threadid() != thread)
        return failure();
      append(messages, diagnostic);
      return success();
    });
    // The lexer stops at a NUL, which `text` need not have behind it.
    std::string terminated = text.str();
    module =
        parseSourceString<ModuleOp>(terminated, ParserConfig(context), name);
  }
  if (!module)
    return llvm::createStringError(
        messages.empty() ? name + ": not a target or coefficient file"
                         : llvm::Twine(messages));
  DataFile data;
  if (llvm::Error e = readAttributes(*module, name, data))
    return std::move(e);
  return data;
}

llvm::Expected<DataFile> gpucost::readDataFile(MLIRContext *context,
                                               StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  return parseDataFile(context, (*buffer)->getBuffer(), path);
}

std::vector<StringRef> gpucost::scanAliases(StringRef text) {
  std::vector<StringRef> aliases;
  StringRef list = text.split(aliasesAttrName).second.split('[').second;
  list = list.split(']').first;
  while (true) {
    auto [alias, rest] = list.split('"').second.split('"');
    if (alias.empty())
      return aliases;
    aliases.push_back(alias);
    list = rest;
  }
}
