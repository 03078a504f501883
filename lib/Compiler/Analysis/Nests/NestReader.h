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
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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
  mlir::Value scalar; ///< of a filled part
  mlir::Type element; ///< element type of a filled part
  /// The tensor dimensions from those of a vector; null if they are the same.
  mlir::AffineMap map;

  static Part empty() {
    Part part;
    part.kind = Empty;
    return part;
  }
  static Part filled(mlir::Value scalar) {
    Part part;
    part.kind = Filled;
    part.scalar = scalar;
    part.element = scalar.getType();
    return part;
  }
};

/// An op of the nest: its loops, and the parts that they access.
struct TileOp {
  explicit TileOp(mlir::Operation *op)
      : op(op), label(op->getName().stripDialect()) {}

  mlir::Operation *op;
  llvm::StringRef label; ///< in the name of the kernel
  /// Inputs, then the initial results; nullopt for a scalar.
  llvm::SmallVector<std::optional<Part>, 4> operands;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Type> elements;
  /// From the loops to the dimensions of each operand's tensor.
  llvm::SmallVector<mlir::AffineMap> maps;
  size_t firstInit = 0;
  /// Sizes of loops that no operand determines; empty if there are none.
  Shape sizes;
  /// The threads of a subgroup execute the op together.
  bool perSubgroup = false;

  void add(const Part &part, mlir::Type element, mlir::AffineMap map) {
    operands.push_back(part);
    values.emplace_back();
    elements.push_back(element);
    maps.push_back(map);
  }
};

/// Whether `loop` contains only loops, loads, stores and scalar arithmetic.
bool isOverScalars(mlir::Operation *loop);

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
  /// Ends the loops after the first `outer` counters: parts no longer move with
  /// them.
  void leaveLoops(size_t outer);
  /// An op that states which elements its iterations access.
  bool visitTiled(mlir::DestinationStyleOpInterface op);
  bool visitPack(mlir::Operation *op);
  bool visitVector(mlir::Operation *op);
  bool visitTransfer(mlir::Operation *op, mlir::Value base,
                     mlir::ValueRange indices, mlir::AffineMap permutation,
                     llvm::ArrayRef<int64_t> shape, mlir::Value stored);
  bool visitElementwise(mlir::Operation *op,
                        mlir::gpu::MMAMatrixType matrix = {});
  bool visitContract(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                     llvm::ArrayRef<mlir::AffineMap> maps);
  bool visitReduction(mlir::vector::MultiDimReductionOp op);
  bool visitRearrangement(mlir::Operation *op);
  bool visitSplit(mlir::vector::ShapeCastOp op);
  bool visitMatrixOp(mlir::Operation *op);
  bool visitStore(mlir::Operation *store);
  bool visitFill(mlir::linalg::FillOp fill);
  bool visitSlice(mlir::Operation *op,
                  mlir::OffsetSizeAndStrideOpInterface slice,
                  const llvm::SmallBitVector &dropped);
  bool visitReshape(mlir::Operation *op);
  std::optional<Part> reshape(const Part &source,
                              llvm::ArrayRef<mlir::ReassociationIndices> groups,
                              llvm::ArrayRef<int64_t> tile, bool expands);
  bool visitIf(mlir::scf::IfOp branch);
  bool visitInsert(mlir::Value result, mlir::Value source,
                   mlir::Value destination);
  bool visitCopy(mlir::Operation *op, mlir::Value source, mlir::Value target);

  std::optional<Part> find(mlir::Value value);
  std::optional<Part> findVector(mlir::Value value);
  std::optional<Part> findCarried(mlir::Value value);
  std::optional<Part> slice(const Part &source,
                            llvm::ArrayRef<mlir::OpFoldResult> offsets,
                            llvm::ArrayRef<mlir::OpFoldResult> sizes,
                            const llvm::SmallBitVector &dropped);
  /// Sets the map of a vector, and drops the dimensions with a fixed position.
  void setMap(Part &part, mlir::AffineMap map);
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
  /// Creates the op that `tile` is on whole tensors; returns its results, or
  /// nothing if it is not understood.
  llvm::SmallVector<Part, 1> computeOnWhole(
      const TileOp &tile,
      llvm::function_ref<mlir::Operation *(mlir::TypeRange, mlir::ValueRange)>
          create);
  /// The same for a `linalg.generic` that `body` fills.
  llvm::SmallVector<Part, 1> computeGeneric(
      const TileOp &tile,
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>
          body);
  std::optional<mlir::Value> materialize(const Part &part);
  std::optional<mlir::Value> materializeIn(const Part &part,
                                           mlir::Value target);
  std::optional<Part> copy(const Part &part, mlir::Operation *op);
  std::optional<Part> findInOrder(mlir::Value value, mlir::Operation *user);
  void addToLabel(llvm::StringRef name) {
    label += (label.empty() ? "" : "+") + name.str();
  }
  void write(mlir::Value target, const Part &part);
  mlir::Operation *cloneOnto(mlir::Operation *op, mlir::TypeRange types,
                             mlir::ValueRange operands,
                             mlir::IRMapping &scalars);
  void noteSchedule(const TileOp &tile, mlir::linalg::LinalgOp whole,
                    const PerLevel<Shape> &ranges,
                    llvm::ArrayRef<uint64_t> moving, uint64_t together);
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
