//===- OuterModule.cpp - Functions of nested modules ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OuterModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace gpucost;

static bool hasBodies(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return !function.isExternal();
  });
}

/// The modules with functions in `module`, also in ops of other dialects
/// (`flow.executable`).
static SmallVector<ModuleOp> findModules(ModuleOp module) {
  SmallVector<ModuleOp> found;
  module.walk<WalkOrder::PreOrder>([&](ModuleOp inner) {
    if (inner == module || !hasBodies(inner))
      return WalkResult::advance();
    found.push_back(inner);
    return WalkResult::skip();
  });
  return found;
}

static std::string nameOf(ModuleOp module) {
  return module.getName() ? "'" + module.getName()->str() + "'"
                          : "a module without a name";
}

LogicalResult gpucost::hoistInnerModule(ModuleOp module) {
  if (hasBodies(module))
    return success();
  SmallVector<ModuleOp> found = findModules(module);
  if (found.empty())
    return module.emitError("no function with a body");
  if (found.size() > 1) {
    InFlightDiagnostic error = module.emitError("the functions are in ")
                               << found.size() << " nested modules ("
                               << nameOf(found[0]);
    for (ModuleOp inner : ArrayRef(found).drop_front())
      error << ", " << nameOf(inner);
    return error << "); analyze one of them";
  }
  ModuleOp inner = found.front();
  // Attributes of the inner module take precedence; a symbol of the same name
  // outside can only be a declaration or an enclosing module.
  for (NamedAttribute attribute : inner->getDiscardableAttrs())
    module->setAttr(attribute.getName(), attribute.getValue());
  SmallVector<Operation *> outside;
  for (Operation &op : *module.getBody())
    outside.push_back(&op);
  Block &body = *module.getBody();
  body.getOperations().splice(body.begin(), inner.getBody()->getOperations());
  for (Operation *op : outside)
    op->erase();
  return success();
}

/// GPU functions read their position with ops, launches from arguments.
static Value positionIn(gpu::LaunchOp launch, Operation *op) {
  auto of = [](gpu::KernelDim3 dims, gpu::Dimension dimension) {
    return dimension == gpu::Dimension::x   ? dims.x
           : dimension == gpu::Dimension::y ? dims.y
                                            : dims.z;
  };
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return of(launch.getBlockIds(), id.getDimension());
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return of(launch.getThreadIds(), id.getDimension());
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return of(launch.getGridSize(), size.getDimension());
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return of(launch.getBlockSize(), size.getDimension());
  return Value();
}

void gpucost::inlineLaunches(ModuleOp module) {
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (gpu::LaunchFuncOp call : launches) {
    auto function = dyn_cast_or_null<gpu::GPUFuncOp>(
        SymbolTable::lookupNearestSymbolFrom(call, call.getKernel()));
    if (!function || function.isExternal() ||
        !function.getBody().hasOneBlock() || call.getAsyncToken() ||
        call.hasClusterSize() ||
        function.getNumArguments() != call.getNumKernelOperands())
      continue;
    OpBuilder builder(call);
    gpu::KernelDim3 grid = call.getGridSizeOperandValues(),
                    block = call.getBlockSizeOperandValues();
    auto launch = gpu::LaunchOp::create(builder, call.getLoc(), grid.x, grid.y,
                                        grid.z, block.x, block.y, block.z);
    IRMapping mapping;
    mapping.map(function.getArguments(), call.getKernelOperands());
    // CTA-local or thread-local memory.
    builder.setInsertionPointToStart(&launch.getBody().front());
    for (BlockArgument local : function.getBody().getArguments().drop_front(
             function.getNumArguments()))
      if (auto type = dyn_cast<MemRefType>(local.getType()))
        mapping.map(
            local,
            memref::AllocaOp::create(builder, call.getLoc(), type).getResult());
    for (Operation &op : function.getBody().front().without_terminator()) {
      if (Value position = positionIn(launch, &op))
        mapping.map(op.getResult(0), position);
      else
        builder.clone(op, mapping);
    }
    gpu::TerminatorOp::create(builder, call.getLoc());
    call.erase();
  }
}
