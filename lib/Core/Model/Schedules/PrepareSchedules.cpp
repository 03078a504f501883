//===- PrepareSchedules.cpp - Absolute level of schedules -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls and convolutions; attention is in PrepareAttention.cpp. (V1) The
// fastest candidate of the space gets the time that the calibrated
// model predicts for the library; the schedule terms determine the ratios to
// it.
//
//===----------------------------------------------------------------------===//

#include "PrepareSchedules.h"
#include "../Families/Convolution.h"
#include "Candidates.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Vocabulary/Families.h"
#include "gpucost/Core/Vocabulary/Vendors.h"

using namespace gpucost;
using namespace gpucost::detail;

/// K step of the CUDA-core reference.
static constexpr int32_t referenceStep = 32;
/// Maximum aspect ratio of a thread tile.
static constexpr int32_t longestThreadTile = 4;

/// Kernels of depthwise convolutions, (C5) and (C7).
static bool isDepthwise(ImplementationKind kind) {
  switch (kind) {
  case ImplementationKind::GenericDepthwiseNhwc:
  case ImplementationKind::CudnnDepthwiseNhwc:
  case ImplementationKind::CudnnDepthwise:
  case ImplementationKind::NativeDepthwise:
    return true;
  default:
    return false;
  }
}

/// (Z6) Whether a convolution is the matmul of its pixels and filters: windows
/// of one element, one after the other.
static bool isMatmul(const ConvolutionProblem &p) {
  return p.pass == ConvolutionPass::Forward && p.channelsLast &&
         p.groups == 1 && p.kernelHeight == 1 && p.kernelWidth == 1 &&
         p.strideHeight == 1 && p.strideWidth == 1 && p.height == p.outHeight &&
         p.width == p.outWidth;
}

static Expected<void> describeProduct(ScheduleSetup &setup);

/// (Z6) The implicit GEMM of a convolution.
static Expected<void> describeConvolution(ScheduleSetup &setup) {
  KernelWork &work = setup.work;
  auto &p = work.edit<ConvolutionProblem>();
  if (auto valid = checkConvolution(p); !valid)
    return valid;
  auto library = setup.model->selectTiling(setup.asked, setup.askedQuery);
  if (!library)
    return fail(library.error());
  if (isDepthwise(library->implementation))
    return fail(
        "depthwise convolutions have no schedules: the library runs " +
        std::string(stringifyImplementationKind(library->implementation)));
  setup.library = library->implementation;
  std::optional<int64_t> pixels = checkedProduct({p.batch, p.height, p.width});
  if (isMatmul(p) && pixels) {
    MatmulProblem matmul{};
    matmul.batch = 1;
    matmul.m = *pixels;
    matmul.n = p.outChannels;
    matmul.k = p.channels;
    matmul.linear = true;
    work.family = KernelFamily::Matmul;
    work.problem = matmul;
    return describeProduct(setup);
  }
  ScheduledProduct &product = setup.product;
  product.inputBytes = product.weightBytes = work.inputBytes();
  product.resultBytes = work.outputBytes();
  if (work.format == NumericFormat::FP32) {
    SimtGemm g = describeSimtImplicitGemm(work);
    product.batch = g.batch;
    product.m = g.m;
    product.n = g.n;
    product.k = g.k;
    double results = g.batch * g.m * g.n * work.outputBytes();
    double operands = g.batch * (g.m + g.n) * g.k * work.inputBytes();
    product.shareA = product.shareB =
        std::clamp((g.bytes - results) / std::max(operands, 1.0), 0.0, 1.0);
    setup.query.implementation = ImplementationKind::ImplicitGemmSimt;
    // (C9) A generated kernel reads channels-last tensors itself.
    p.channelsLast = false;
  } else {
    if (runsGroupsInTurn(p))
      return fail("expected groups that fill tiles: a library runs other "
                  "groups one after the other ((C10) in CostModel.md), and "
                  "they have no schedules");
    if (convertsLayout(*setup.model, work))
      return fail("expected channels-last tensors: a library converts NCHW "
                  "tensors of TF32 around this kernel ((C9) in CostModel.md)");
    TensorGemm g = describeImplicitGemm(work);
    product.batch = g.batch;
    product.m = g.m;
    product.n = g.n;
    product.k = g.k;
    product.shareA =
        std::min(1.0, g.bytesA / std::max(g.m * g.k * g.inputBytes, 1.0));
    product.shareB =
        std::min(1.0, g.bytesB / std::max(g.n * g.k * g.inputBytes, 1.0));
    setup.query.implementation = ImplementationKind::ImplicitGemmTensor;
  }
  if (product.batch <= 0 || product.m <= 0 || product.n <= 0 || product.k <= 0)
    return fail("expected a convolution with elements: an empty one has no "
                "schedule");
  return {};
}

static Expected<void> describeProduct(ScheduleSetup &setup) {
  const KernelWork &work = setup.work;
  if (work.family == KernelFamily::Convolution && work.is<ConvolutionProblem>())
    return describeConvolution(setup);
  if (work.family != KernelFamily::Matmul || !work.is<MatmulProblem>())
    return fail("expected a matrix product, a convolution, attention or a "
                "memory-bound kernel: other kernels have no schedules");
  const auto &p = work.as<MatmulProblem>();
  if (p.batch <= 0 || p.m <= 0 || p.n <= 0 || p.k <= 0)
    return fail("expected a product with elements: an empty one has no "
                "schedule");
  ScheduledProduct &product = setup.product;
  product.batch = static_cast<double>(p.batch);
  product.m = static_cast<double>(p.m);
  product.n = static_cast<double>(p.n);
  product.k = static_cast<double>(p.k);
  product.inputBytes = work.inputBytes();
  product.weightBytes =
      p.weightBits ? static_cast<double>(p.weightBits) / 8 : product.inputBytes;
  product.resultBytes = work.outputBytes();
  product.blockScaled = p.blockScaled;
  product.sumsIntegers = work.format == NumericFormat::INT8;
  return {};
}

static Expected<void> findCoefficients(ScheduleSetup &setup) {
  const Coefficients &all = setup.model->coefficients();
  const Gpu &gpu = setup.model->gpu();
  auto missing = [&](const char *group) {
    return fail("'" + gpu.name + "' has no coefficients of schedules; add a '" +
                group + "' set");
  };
  if (setup.work.format != NumericFormat::FP32) {
    if (!all.tensorSchedule)
      return missing("tensor_schedule");
    setup.tensor = &*all.tensorSchedule;
    const TensorGemmCoefficients &c = *all.tensorGemm;
    setup.splitTime = c.splitKTime.value();
    setup.partialRate =
        setup.device.sms * setup.device.clock * c.l2BytesPerClock;
    return {};
  }
  if (Vendor vendor = vendorOf(gpu.architecture); vendor != Vendor::NVIDIA)
    return fail("'" + gpu.name +
                "' multiplies fp32 on its matrix cores, for which only "
                "schedules in 16 and 8 bits are modelled");
  if (setup.product.blockScaled)
    return fail("expected a format of the tensor cores: fp32 products have no "
                "block scales");
  if (!all.simtSchedule)
    return missing("simt_schedule");
  setup.simt = &*all.simtSchedule;
  auto takeRates = [&](const auto &c) {
    setup.splitTime = c.latency.value();
    setup.partialRate =
        gpu.dramBandwidth.value() * c.dramEfficiency * c.l2Speedup;
  };
  if (const auto *p = setup.work.getIf<MatmulProblem>())
    takeRates(p->linear ? *all.simtLinear : *all.simtBatched);
  else
    takeRates(*all.simtConv);
  return {};
}

/// Tiles of the library's kernels on CUDA cores.
static Span<Tile> simtTilesOf(const ScheduleSetup &setup) {
  const Coefficients &all = setup.model->coefficients();
  if (const auto *p = setup.work.getIf<MatmulProblem>())
    return p->linear ? Span<Tile>(all.simtLinear->tiles)
                     : Span<Tile>(all.simtBatched->tiles);
  return all.simtConv->implicitTiles;
}

/// Splits of K to try: the library's choice; for gradients of filters, which
/// sum over pixels, all splits of its table.
static std::vector<int32_t> splitsOf(const ScheduleSetup &setup,
                                     const Tiling &tiling) {
  std::vector<int32_t> splits = {1};
  auto add = [&](int32_t split) {
    if (split <= setup.product.k &&
        std::find(splits.begin(), splits.end(), split) == splits.end())
      splits.push_back(split);
  };
  const auto *p = setup.work.getIf<ConvolutionProblem>();
  if (p && p->pass == ConvolutionPass::WeightGradient)
    for (int32_t split :
         setup.tensor
             ? Span<int32_t>(setup.model->coefficients().tensorGemm->splitK)
             : filterGradientSplits())
      add(split);
  add(std::max(tiling.splitK, 1));
  return splits;
}

/// Calibrated time of the library's choice, `tiling`, without fused ops; sets
/// the launch time. For a matrix-vector kernel, which has no tile, `tiling` is
/// set to the best tile of the table.
static Expected<double> libraryTime(ScheduleSetup &setup,
                                    const KernelWork &plain, Tiling &tiling) {
  auto timeOf = [&](const Tiling &candidate) -> Expected<double> {
    auto terms = setup.model->launchTerms(plain, candidate, setup.query);
    if (!terms)
      return fail(terms.error());
    terms->powerRoof = Seconds(0); // the power roof (S5) depends on the board,
                                   // not on the tile
    if (setup.simt)
      setup.launchTime = terms->fixed.value();
    return timeAt(*terms, 1.0).value();
  };
  if (tiling.tile.m > 0 || setup.tensor)
    return timeOf(tiling);
  double best = std::numeric_limits<double>::infinity();
  for (const Tile &tile : simtTilesOf(setup)) {
    Tiling candidate;
    candidate.tile = tile;
    auto time = timeOf(candidate);
    if (!time)
      return time;
    if (*time < best) {
      best = *time;
      tiling = candidate;
    }
  }
  return best;
}

/// Visits the tiles of the calibrated table with the settings of a library:
/// both operands staged, loads of 16 bytes.
template <typename Visitor>
static void forEachReference(const ScheduleSetup &setup, Visitor &&visit) {
  for (const Tile &tile : simtTilesOf(setup)) {
    Schedule s;
    s.tileM = tile.m;
    s.tileN = tile.n;
    s.tileK = referenceStep;
    s.stages = s.cluster = 1;
    s.warps = tile.warps;
    s.stageA = s.stageB = OperandPath::Shared;
    for (int32_t a : simtThreadEdges) {
      int32_t b = tile.m * tile.n / (warpThreads * tile.warps * a);
      if (b == 0 || a > longestThreadTile * b || b > longestThreadTile * a ||
          a * b * warpThreads * tile.warps != tile.m * tile.n)
        continue;
      s.threadTileM = a;
      s.threadTileN = b;
      s.vectorM = std::min(a, simtVectors[0]);
      s.vectorN = std::min(b, simtVectors[0]);
      s.copyM = copyThreads(s.tileM, s.vectorM, warpThreads * s.warps);
      s.copyN = copyThreads(s.tileN, s.vectorN, warpThreads * s.warps);
      for (int32_t split : setup.splits) {
        s.splitK = split;
        visit(s);
      }
    }
  }
}

/// All reference schedules. On tensor cores they have the minimum number of
/// stages and no split; `fastestReference` tries others.
static std::vector<Schedule> listReferences(const ScheduleSetup &setup) {
  std::vector<Schedule> all;
  auto visit = [&](const Schedule &s) { all.push_back(s); };
  Schedule fixed;
  fixed.stages = tensorStages[0];
  fixed.splitK = 1;
  if (setup.tensor)
    forEachTensorCandidate(setup, fixed, visit);
  else
    forEachReference(setup, visit);
  return all;
}

/// Time of the fastest reference schedule without block scales, from the terms
/// only. Candidates are sorted by lower bound, so that most need not be
/// evaluated.
static double fastestReference(ScheduleSetup &setup) {
  // Bounds that are combined in a different order differ in their last bits.
  constexpr double slack = 1 - 1e-12;
  constexpr int32_t mostStages = tensorStages[std::size(tensorStages) - 1];
  bool blockScaled = setup.product.blockScaled;
  double launchTime = setup.launchTime;
  setup.product.blockScaled = false;
  setup.level = 1;
  setup.launchTime = 0;
  double best = std::numeric_limits<double>::infinity();
  auto memory = std::make_unique<TileMemory>(setup);
  TileMemory &tiles = *memory;
  SimtPipes none;
  auto visit = [&](const Schedule &s) {
    TensorTile &tile = tiles.of(s);
    if (ScheduleFit fit = setup.fit(s, tile))
      best = std::min(best, setup.time(s, tile, none, fit, best).total);
  };
  std::vector<Schedule> all = listReferences(setup);
  struct Reference {
    double least;   ///< lower bound of its time
    size_t index;   ///< index into `all`
    int32_t splitK; ///< 0: only its tile was evaluated
    size_t opened;  ///< index into `opened` with a split
  };
  std::vector<std::pair<ScheduleFit, SimtPipes>> opened;
  auto isLater = [](const Reference &a, const Reference &b) {
    return a.least > b.least;
  };
  std::vector<Reference> heap;
  heap.reserve(all.size() + setup.splits.size());
  for (const Schedule &s : all) {
    double least = tiles.leastTime(s);
    if (least < best)
      heap.push_back({least, static_cast<size_t>(&s - all.data()), 0, 0});
  }
  std::make_heap(heap.begin(), heap.end(), isLater);
  while (!heap.empty() && heap.front().least * slack < best) {
    Reference next = heap.front();
    std::pop_heap(heap.begin(), heap.end(), isLater);
    heap.pop_back();
    Schedule s = all[next.index];
    if (next.splitK && setup.tensor) {
      s.splitK = next.splitK;
      s.stages = 0;
      forEachTensorCandidate(setup, s, visit);
      continue;
    }
    if (next.splitK) {
      auto &[fit, pipes] = opened[next.opened];
      best = std::min(best, setup.time(s, tiles.of(s), pipes, fit, best).total);
      continue;
    }
    TensorTile &tile = tiles.of(s);
    choose(setup.tensor ? 0 : s.splitK, setup.splits, [&](int32_t split) {
      s.splitK = split;
      if (ScheduleFit fit = setup.fit(s, tile)) {
        SimtPipes pipes;
        double least = setup.leastTime(s, tile, pipes, fit, mostStages);
        heap.push_back(
            {std::max(next.least, least), next.index, split, opened.size()});
        std::push_heap(heap.begin(), heap.end(), isLater);
        opened.emplace_back(fit, pipes);
      }
    });
  }
  setup.product.blockScaled = blockScaled;
  setup.launchTime = launchTime;
  if (!blockScaled)
    setup.tiles = std::move(memory);
  return best;
}

/// (W3) Adds the cost of fused ops.
static Expected<void> countFused(ScheduleSetup &setup, const KernelWork &plain,
                                 const Tiling &tiling) {
  if (setup.work.count.fused.tensorFlops == 0 &&
      setup.work.count.fused.fp32Flops == 0 &&
      setup.work.count.fused.specialOps == 0 &&
      setup.work.count.fused.bytes == 0)
    return {};
  auto all = setup.model->launchTerms(setup.work, tiling, setup.query);
  auto own = setup.model->launchTerms(plain, tiling, setup.query);
  if (!all || !own)
    return fail((all ? own : all).error());
  setup.fusedIssue = (all->serialIssue - own->serialIssue).value();
  setup.fusedDram = (all->serialDram - own->serialDram).value();
  if (own->compute > Seconds(0))
    setup.fusedProducts = all->compute / own->compute - 1;
  return {};
}

/// Prepares a memory-bound kernel: its calibrated terms and the number of
/// tensors read.
static Expected<void> prepareStream(ScheduleSetup &setup) {
  const auto &tensor = setup.model->coefficients().tensorSchedule;
  if (!tensor)
    return fail("'" + setup.model->gpu().name +
                "' has no coefficients of schedules; add a 'tensor_schedule' "
                "set, whose memory latency counts");
  auto terms = setup.model->launchTerms(setup.work, {}, setup.query);
  if (!terms)
    return fail(terms.error());
  setup.isStream = true;
  setup.stream = *terms;
  setup.memoryLatency = tensor->memoryLatency;
  // An elementwise kernel writes as much as its largest operand; additional
  // bytes read belong to further operands, each with separate loads.
  const WorkCount &count = setup.work.count;
  bool perElement = setup.work.family == KernelFamily::Elementwise ||
                    setup.work.family == KernelFamily::Optimizer;
  if (perElement && count.bytesWritten > 0 &&
      count.bytesRead > count.bytesWritten)
    setup.streamInputs = static_cast<double>(count.bytesRead) /
                         static_cast<double>(count.bytesWritten);
  return {};
}

Expected<void> detail::prepareSchedules(ScheduleSetup &setup) {
  auto device = describeDevice(*setup.model, setup.work.format);
  if (!device)
    return fail(device.error());
  setup.device = *device;
  setup.query.bestTile = true;
  if (infoOf(setup.work.family).hasStreamSchedules)
    return prepareStream(setup);
  if (setup.work.family == KernelFamily::Attention)
    return prepareAttention(setup);
  if (auto valid = describeProduct(setup); !valid)
    return valid;
  KernelWork plain = setup.work;
  plain.count.tensorFlops -= plain.count.fused.tensorFlops;
  plain.count.fused = {};
  auto chosen = setup.model->selectTiling(plain, setup.query);
  if (!chosen)
    return fail(chosen.error()); // states the missing coefficients or facts
  Tiling &tiling = *chosen;
  if (auto found = findCoefficients(setup); !found)
    return found;
  setup.kernel = tiling.implementation;
  if (setup.library == ImplementationKind::None)
    setup.library = tiling.implementation;
  setup.libraryHasTiles = tiling.tile.m > 0;
  auto library = libraryTime(setup, plain, tiling);
  if (!library)
    return fail(library.error());
  setup.splits = splitsOf(setup, tiling);
  double reference = fastestReference(setup);
  if (!(reference < std::numeric_limits<double>::infinity()))
    return fail("'" + setup.model->gpu().name +
                "' runs none of the schedules that libraries have");
  setup.level = (*library - setup.launchTime) / reference;
  return countFused(setup, plain, tiling);
}
