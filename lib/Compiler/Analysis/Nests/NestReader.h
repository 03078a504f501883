//===- NestReader.h - Reads the ops of one tile -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of one tile are read in order. Each value in the nest is a part of a
// tensor whose extents over all iterations follow from the offsets and sizes of
// its slices; an op of the nest becomes the same op on the whole tensors.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_NESTREADER_H
#define GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_NESTREADER_H

#include "IndexRange.h"
#include "gpucost/Compiler/Analysis/Nests/BlockNest.h"
#include "gpucost/Core/Model/Schedule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

namespace gpucost {

using Shape = llvm::SmallVector<int64_t, 4>;

/// The tensor part that a tensor or buffer in the nest represents.
struct Part {
  enum Kind {
    Data,
    Empty, ///< memory without contents: takes the shape of the values written
           ///< to it
    Filled ///< filled with a scalar, before an accumulation
  } kind = Data;
  mlir::Value tensor; ///< whole tensor, with `extents[TileLevel::Whole]`; null
                      ///< when empty
  PerLevel<Shape> extents;
  /// Counters that move the part, by dimension; empty without extents.
  llvm::SmallVector<uint64_t, 4> moving;
  mlir::linalg::FillOp fill; ///< the op that filled it

  uint64_t counters() const {
    uint64_t all = 0;
    for (uint64_t each : moving)
      all |= each;
    return all;
  }
};

class NestReader {
public:
  NestReader(mlir::Operation *nest, mlir::OpBuilder &builder,
             llvm::function_ref<mlir::Value(mlir::Value)> import)
      : nest(nest), builder(builder), import(import) {}
  BlockKernel read();

private:
  bool fail(mlir::Operation *op);
  bool visitBlock(mlir::Block &block);
  bool visit(mlir::Operation *op);
  bool visitLoop(mlir::LoopLikeOpInterface loop);
  bool visitForall(mlir::scf::ForallOp forall);
  bool visitStructured(mlir::linalg::LinalgOp op);
  bool visitFill(mlir::linalg::FillOp fill);
  bool visitSlice(mlir::Operation *op,
                  mlir::OffsetSizeAndStrideOpInterface slice,
                  const llvm::SmallBitVector &dropped);
  bool visitReshape(mlir::Operation *op);
  bool visitIf(mlir::scf::IfOp branch);
  bool visitInsert(mlir::Value result, mlir::Value source,
                   mlir::Value destination);
  bool visitCopy(mlir::Operation *op, mlir::Value source, mlir::Value target);

  std::optional<Part> find(mlir::Value value);
  std::optional<mlir::Value> importScalar(mlir::Value value);
  mlir::Value baseOf(mlir::Value value) const;
  bool isInside(mlir::Value value) const {
    return nest->isProperAncestor(value.getParentBlock()->getParentOp()) ||
           value.getParentBlock()->getParentOp() == nest;
  }
  /// The first elements of `tensor`, with the extents `shape`; without the unit
  /// dimensions in `dropped`.
  mlir::Value view(mlir::Value tensor, llvm::ArrayRef<int64_t> shape,
                   const llvm::SmallBitVector &dropped = {});
  mlir::Value emptyTensor(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    mlir::Operation *op =
        mlir::tensor::EmptyOp::create(builder, nest->getLoc(), shape, element);
    created.push_back(op);
    return op->getResult(0);
  }
  void addMember(mlir::Operation *op) {
    members.push_back(op);
    created.push_back(op);
  }
  bool findRanges(mlir::linalg::LinalgOp op,
                  llvm::ArrayRef<std::optional<Part>> operands,
                  PerLevel<Shape> &ranges);
  /// Counters that move the operands along each loop of `op`.
  llvm::SmallVector<uint64_t>
  findCounters(mlir::linalg::LinalgOp op,
               llvm::ArrayRef<std::optional<Part>> operands);
  std::optional<mlir::Value> materialize(const Part &part);
  void write(mlir::Value target, const Part &part);
  mlir::Operation *cloneOnto(mlir::Operation *op, mlir::TypeRange types,
                             mlir::ValueRange operands,
                             mlir::IRMapping &scalars);
  void noteSchedule(mlir::linalg::LinalgOp op, const PerLevel<Shape> &ranges,
                    llvm::ArrayRef<uint64_t> moving);
  KernelOp makeKernel(llvm::ArrayRef<mlir::Value> outputs);

  mlir::Operation *nest;
  mlir::OpBuilder &builder;
  llvm::function_ref<mlir::Value(mlir::Value)> import;
  NestCounters counters;
  llvm::DenseMap<mlir::Value, Part> parts;
  /// Buffers from outside that the nest writes, and the last part written.
  llvm::MapVector<mlir::Value, Part> written;
  /// Ops of the kernel, in order, and the ops created before it.
  llvm::SmallVector<mlir::Operation *> members, created;
  /// Maximum number of counter values for which conditions are evaluated.
  static constexpr int64_t mostValues = int64_t(1) << 18;
  int64_t valuesLeft = mostValues;
  std::string label, reason;
  /// The largest matmul or convolution.
  struct {
    int64_t iterations = 0;
    Schedule schedule;
    std::string note; ///< why the model chooses the tile
  } product;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_NESTREADER_H
