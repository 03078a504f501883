//===- LoadModel.cpp - Model files into modules ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Configured.h"
#include "FrontEnd.h"
#include "ParseMlir.h"
#include "gpucost/Compiler/Dialect/GpuCost/ExternalModels/DeviceSpecModels.h"
#include "gpucost/Compiler/Dialect/GpuCost/ExternalModels/WorkModels.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Support/CrashGuard.h"
#include "gpucost/Core/Archive/PreparedFile.h"
#include "gpucost/Core/Support/InputFile.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace gpucost;

namespace {

/// Accepts any code generator in a `gpu.module`; only its chip is used.
struct ForeignGpuTarget
    : gpu::TargetAttrInterface::ExternalModel<ForeignGpuTarget, OpaqueAttr> {
  std::optional<SmallVector<char, 0>>
  serializeToObject(Attribute, Operation *module,
                    const gpu::TargetOptions &) const {
    module->emitError("no code generator for this target");
    return std::nullopt;
  }
  Attribute createObject(Attribute, Operation *, const SmallVector<char, 0> &,
                         const gpu::TargetOptions &) const {
    return nullptr;
  }
};

} // namespace

void gpucost::registerDialects(DialectRegistry &registry) {
  registry
      .insert<GpuCostDialect, onnx::OnnxDialect, affine::AffineDialect,
              arith::ArithDialect, bufferization::BufferizationDialect,
              cf::ControlFlowDialect, complex::ComplexDialect, DLTIDialect,
              func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
              linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
              ml_program::MLProgramDialect, quant::QuantDialect,
              scf::SCFDialect, shape::ShapeDialect, tensor::TensorDialect,
              tosa::TosaDialect, ub::UBDialect, vector::VectorDialect>();
  registerForeignSyntax(registry);
  registerAllWorkModels(registry);
  registerDeviceSpecModels(registry);
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    OpaqueAttr::attachInterface<ForeignGpuTarget>(*context);
  });
}

OwningOpRef<ModuleOp>
gpucost::parseModule(MLIRContext &context,
                     llvm::function_ref<OwningOpRef<ModuleOp>()> parse) {
  OwningOpRef<ModuleOp> module;
  if (!finishes([&] { module = parse(); }))
    mlir::emitError(UnknownLoc::get(&context))
        << "MLIR's parser crashed on this input";
  return module;
}

static OwningOpRef<ModuleOp>
importModel(MLIRContext &context, bool keepOrigins,
            llvm::function_ref<
                llvm::Expected<OwningOpRef<ModuleOp>>(const ImportOptions &)>
                importFile) {
  // The importer and the first passes always require these dialects.
  context.loadDialect<func::FuncDialect, onnx::OnnxDialect, GpuCostDialect>();
  ImportOptions options;
  options.keepOrigins = keepOrigins;
  llvm::Expected<OwningOpRef<ModuleOp>> module = importFile(options);
  if (module)
    return std::move(*module);
  mlir::emitError(UnknownLoc::get(&context))
      << llvm::toString(module.takeError());
  return nullptr;
}

bool gpucost::isOnnx(llvm::StringRef contents) {
  // MLIR assembly has no control characters; bytecode has a magic number.
  return !isBytecode(contents) &&
         llvm::any_of(contents.take_front(64), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 && !llvm::isSpace(c);
         });
}

OwningOpRef<ModuleOp> gpucost::parseModel(MLIRContext &context,
                                          llvm::MemoryBufferRef buffer,
                                          bool keepOrigins) {
  llvm::StringRef contents = buffer.getBuffer();
  if (contents.trim().empty()) {
    mlir::emitError(UnknownLoc::get(&context))
        << buffer.getBufferIdentifier() << " is empty";
    return nullptr;
  }
  if (isConfiguration(contents))
    return loadConfiguration(context, contents.str(),
                             buffer.getBufferIdentifier(), keepOrigins);
  if (!isOnnx(contents))
    return parseMlir(context, contents, buffer.getBufferIdentifier());
  return importModel(context, keepOrigins, [&](const ImportOptions &options) {
    return importOnnxBuffer(context, contents, buffer.getBufferIdentifier(),
                            options);
  });
}

/// The first bytes of a file; empty if it cannot be read.
static std::string readStart(llvm::StringRef path, size_t size) {
  auto start = llvm::MemoryBuffer::getFileSlice(path, size, /*Offset=*/0);
  return start ? (*start)->getBuffer().str() : "";
}

static OwningOpRef<ModuleOp> refusePrepared(MLIRContext &context,
                                            llvm::StringRef path) {
  mlir::emitError(UnknownLoc::get(&context))
      << "'" << path
      << "' is a prepared model, which is evaluated with libgpucost or the "
         "Python package; pass the original model instead";
  return nullptr;
}

/// A model that is read to its end first: MLIR, or a pipe.
static OwningOpRef<ModuleOp> loadText(MLIRContext &context,
                                      llvm::StringRef path, bool keepOrigins) {
  Expected<std::string> text = readInput(path.str(), mostBytesOfData);
  if (!text) {
    mlir::emitError(UnknownLoc::get(&context)) << text.error().message;
    return nullptr;
  }
  if (llvm::StringRef(*text).starts_with(preparedFileMagic))
    return refusePrepared(context, path);
  if (path.ends_with(".mlir"))
    return parseMlir(context, *text, path);
  return parseModel(
      context, llvm::MemoryBufferRef(*text, path == "-" ? "<stdin>" : path),
      keepOrigins);
}

/// Whether `path` is the configuration of a model: a folder, or a JSON file.
static bool isConfigurationFile(llvm::StringRef path) {
  constexpr size_t enough = 512;
  return llvm::sys::fs::is_directory(path) || path.ends_with(".json") ||
         isConfiguration(readStart(path, enough));
}

OwningOpRef<ModuleOp> gpucost::loadModel(MLIRContext &context,
                                         llvm::StringRef path,
                                         bool keepOrigins) {
  if (!isStream(path.str()) && !path.ends_with(".mlir") &&
      isConfigurationFile(path))
    return loadConfiguration(context, readConfiguration(path), path,
                             keepOrigins);
  if (isStream(path.str()) || path.ends_with(".mlir") ||
      isBytecode(readStart(path, bytecodeMagic.size())))
    return loadText(context, path, keepOrigins);
  if (readStart(path, preparedFileMagic.size()) == preparedFileMagic)
    return refusePrepared(context, path);
  return importModel(context, keepOrigins, [&](const ImportOptions &options) {
    return importOnnx(context, path, options);
  });
}
