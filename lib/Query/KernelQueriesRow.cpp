//===- KernelQueriesRow.cpp - One queried kernel --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Query/KernelQueriesRow.h"
#include "gpucost/Query/KernelQueriesWork.h"
#include "gpucost/Report/NumberText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace gpucost;
using Column = QueryColumn;

static constexpr llvm::StringRef names[] = {"family",
                                            "op",
                                            "dtype",
                                            "batch",
                                            "m",
                                            "n",
                                            "k",
                                            "linear",
                                            "c",
                                            "h",
                                            "w",
                                            "oc",
                                            "kh",
                                            "kw",
                                            "stride",
                                            "pad",
                                            "groups",
                                            "heads",
                                            "kv_heads",
                                            "q_len",
                                            "kv_len",
                                            "head_dim",
                                            "causal",
                                            "rows",
                                            "cols",
                                            "elements",
                                            "inputs",
                                            "strided",
                                            "gpus",
                                            "nodes",
                                            "message_bytes",
                                            "clock_mhz",
                                            "reuse_bytes",
                                            "protocol",
                                            "toggle_rate",
                                            "burst_ms",
                                            "warm_up_ms",
                                            "cache_share",
                                            "cache_write",
                                            "power_limit_w",
                                            "block_scaled",
                                            "tile_m",
                                            "tile_n",
                                            "tile_k",
                                            "split_k",
                                            "stages",
                                            "warps",
                                            "ctas_per_sm",
                                            "cluster",
                                            "thread_tile_m",
                                            "thread_tile_n",
                                            "vector_m",
                                            "vector_n",
                                            "stage_a",
                                            "stage_b",
                                            "copy_m",
                                            "copy_n",
                                            "top",
                                            "objective",
                                            "time_limit_us"};
static_assert(std::size(names) == numQueryColumns, "a column without a name");

llvm::ArrayRef<llvm::StringRef> gpucost::columnNames() { return names; }

llvm::StringRef gpucost::columnName(Column column) {
  return names[static_cast<size_t>(column)];
}

std::optional<Column> gpucost::findColumn(llvm::StringRef name) {
  for (size_t i = 0; i < numQueryColumns; ++i)
    if (names[i] == name)
      return static_cast<Column>(i);
  return std::nullopt;
}

std::string gpucost::suggestNearest(llvm::StringRef text,
                                    llvm::ArrayRef<llvm::StringRef> known) {
  std::string lower = text.lower();
  unsigned limit = std::max<unsigned>(1, text.size() / 2), best = limit + 1;
  llvm::StringRef nearest;
  for (llvm::StringRef candidate : known) {
    unsigned distance = candidate.edit_distance(lower, true, limit);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : ", did you mean '" + nearest.str() + "'?";
}

llvm::Error gpucost::errorAt(llvm::StringRef source, TextPosition at,
                             const llvm::Twine &message) {
  return llvm::createStringError(source + ":" + llvm::Twine(at.line) + ":" +
                                 llvm::Twine(at.column) + ": " + message);
}

namespace {

enum class Family {
  Matmul,
  Conv2d,
  Attention,
  Softmax,
  LayerNorm,
  Elementwise,
  Collective
};
constexpr llvm::StringRef familyNames[] = {
    "matmul",    "conv2d",      "attention", "softmax",
    "layernorm", "elementwise", "collective"};
constexpr llvm::StringRef collectiveNames[] = {"all_reduce",     "all_gather",
                                               "reduce_scatter", "all_to_all",
                                               "broadcast",      "send_recv"};

/// What the kernel runs in; `benchmark` is a BenchmarkProtocol.
constexpr llvm::StringRef protocolNames[] = {"iteration", "benchmark"};
constexpr size_t benchmarkProtocol = 1;

/// Reads the cells of one row. After the first mistake every getter returns its
/// fallback, so that one check at the end is enough.
class RowReader {
public:
  RowReader(const QueryCells &cells, TextPosition row, llvm::StringRef source)
      : cells(cells), row(row), source(source) {}

  /// Trimmed text; empty when the column or the value is missing.
  llvm::StringRef text(Column column) const {
    const CsvCell *cell = cells[static_cast<size_t>(column)];
    return cell ? cell->text.trim() : llvm::StringRef();
  }
  bool has(Column column) const { return !text(column).empty(); }

  /// A size that the family needs.
  int64_t size(Column column) { return integer(column, 1, std::nullopt); }
  int64_t size(Column column, int64_t fallback, int64_t least = 1) {
    return integer(column, least, fallback);
  }
  /// A number in (0, most].
  std::optional<double> number(Column column, double most);
  bool flag(Column column, bool fallback);
  /// Index of the text of `column` in `known`.
  size_t choice(Column column, llvm::ArrayRef<llvm::StringRef> known,
                size_t fallback = ~size_t(0));
  void fail(Column column, const llvm::Twine &expectation);
  void fail(const std::optional<SizeFault> &fault) {
    if (fault)
      fail(*findColumn(fault->size), fault->expected);
  }
  void failRow(const llvm::Twine &message) {
    if (error.empty()) {
      error = message.str();
      at = row;
    }
  }
  bool failed() const { return !error.empty(); }
  llvm::Error takeError() const {
    return failed() ? errorAt(source, at, error) : llvm::Error::success();
  }

  llvm::StringRef family; ///< for messages

private:
  int64_t integer(Column column, int64_t least,
                  std::optional<int64_t> fallback);

  const QueryCells &cells;
  TextPosition row, at;
  llvm::StringRef source;
  std::string error;
};

} // namespace

/// Blames the value of `column`, or its absence.
void RowReader::fail(Column column, const llvm::Twine &expectation) {
  if (failed())
    return;
  const CsvCell *cell = cells[static_cast<size_t>(column)];
  std::string name = columnName(column).str();
  if (!cell) {
    at = row;
    error = ("missing column '" + name + "'" +
             (family.empty() ? "" : " of a kernel of family '" + family + "'") +
             ": expected " + expectation)
                .str();
    return;
  }
  at = cell->at;
  std::string got = cell->text.trim().empty()
                        ? "an empty cell"
                        : "'" + cell->text.trim().substr(0, 60).str() + "'";
  error =
      ("column '" + name + "': expected " + expectation + ", but got " + got)
          .str();
}

int64_t RowReader::integer(Column column, int64_t least,
                           std::optional<int64_t> fallback) {
  llvm::StringRef digits = text(column);
  if (digits.empty() && fallback)
    return *fallback;
  // Spreadsheets and pandas write 128 as 128.0 beside empty cells.
  auto [whole, zeros] = digits.split('.');
  if (!zeros.empty() && zeros.find_first_not_of('0') == llvm::StringRef::npos)
    digits = whole;
  int64_t value;
  if (!digits.getAsInteger(10, value) && value >= least && value <= largestSize)
    return value;
  fail(column, "an integer from " + llvm::Twine(least) + " to 2^40");
  return fallback.value_or(1);
}

std::optional<double> RowReader::number(Column column, double most) {
  llvm::StringRef digits = text(column);
  if (digits.empty())
    return std::nullopt;
  double value;
  if (!digits.getAsDouble(value) && std::isfinite(value) && value > 0 &&
      value <= most)
    return value;
  std::string limit;
  llvm::raw_string_ostream os(limit);
  if (os << " and of at most "; !printNumber(os, most))
    limit.clear();
  fail(column, "a number above 0" + limit);
  return std::nullopt;
}

bool RowReader::flag(Column column, bool fallback) {
  llvm::StringRef value = text(column);
  if (value.empty())
    return fallback;
  if (value == "1" || value == "1.0" || value.equals_insensitive("true"))
    return true;
  if (value == "0" || value == "0.0" || value.equals_insensitive("false"))
    return false;
  fail(column, "0, 1, true or false");
  return fallback;
}

size_t RowReader::choice(Column column, llvm::ArrayRef<llvm::StringRef> known,
                         size_t fallback) {
  llvm::StringRef value = text(column);
  if (value.empty() && fallback != ~size_t(0))
    return fallback;
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i] == value)
      return i;
  if (!failed()) {
    fail(column, "one of " + llvm::join(known.begin(), known.end(), ", "));
    if (!value.empty())
      error += suggestNearest(value, known);
  }
  return 0;
}

static std::optional<KernelWork> readMatmul(RowReader &r,
                                            NumericFormat format) {
  MatmulProblem p;
  p.batch = r.size(Column::Batch, 1);
  p.m = r.size(Column::M);
  p.n = r.size(Column::N);
  p.k = r.size(Column::K);
  p.linear = r.flag(Column::Linear, p.batch == 1);
  p.blockScaled = r.flag(Column::BlockScaled, false);
  return matmulWork(p, format);
}

static std::optional<KernelWork> readConv2d(RowReader &r,
                                            NumericFormat format) {
  ConvolutionProblem p;
  p.batch = r.size(Column::N);
  p.channels = r.size(Column::C);
  p.height = r.size(Column::H);
  p.width = r.size(Column::W);
  p.outChannels = r.size(Column::Oc);
  p.kernelHeight = r.size(Column::Kh);
  p.kernelWidth = r.size(Column::Kw);
  p.strideHeight = p.strideWidth = r.size(Column::Stride, 1);
  p.groups = r.size(Column::Groups, 1);
  int64_t pad = r.size(Column::Pad, 0, /*least=*/0);
  r.fail(findSizeFault(p, pad));
  return r.failed() ? std::nullopt : convolutionWork(p, pad, format);
}

static std::optional<KernelWork> readAttention(RowReader &r,
                                               NumericFormat format) {
  AttentionProblem p;
  p.batch = r.size(Column::Batch, 1);
  p.heads = r.size(Column::Heads);
  p.kvHeads = r.size(Column::KvHeads, p.heads);
  p.queryLength = r.size(Column::QLen);
  p.kvLength = r.size(Column::KvLen);
  p.headDim = r.size(Column::HeadDim);
  p.causal = r.flag(Column::Causal, false);
  r.fail(findSizeFault(p));
  return attentionWork(p, format);
}

static std::optional<KernelWork> readElementwise(RowReader &r,
                                                 NumericFormat format) {
  llvm::SmallVector<llvm::StringRef, 32> known;
  const ElementwiseOp *op = nullptr;
  for (const ElementwiseOp &candidate : elementwiseOps())
    if (llvm::StringRef(candidate.name) == r.text(Column::Op))
      op = &candidate;
  if (!op) {
    for (const ElementwiseOp &candidate : elementwiseOps())
      known.push_back(candidate.name);
    r.choice(Column::Op, known);
    return std::nullopt;
  }
  int64_t elements = r.size(Column::Elements);
  std::optional<KernelWork> work = elementwiseWork(
      *op, elements, r.size(Column::Inputs, op->inputs), format);
  if (work)
    work->edit<ElementsProblem>().strided = r.flag(Column::Strided, false);
  return work;
}

static std::optional<KernelWork> readCollective(RowReader &r, const Gpu &gpu,
                                                const QueryDefaults &defaults) {
  CollectiveProblem p;
  p.kind = *symbolizeCollectiveKind(
      collectiveNames[r.choice(Column::Op, collectiveNames)]);
  p.worldSize = r.size(Column::Gpus);
  p.nodes = r.size(Column::Nodes, defaults.nodes);
  p.groups = r.size(Column::Groups, 1);
  p.bytes = r.size(Column::MessageBytes);
  r.fail(findSizeFault(p, gpu));
  return r.failed() ? std::nullopt : collectiveWork(p);
}

static std::optional<KernelWork> readWork(RowReader &r, Family family,
                                          NumericFormat format, const Gpu &gpu,
                                          const QueryDefaults &defaults) {
  switch (family) {
  case Family::Matmul:
    return readMatmul(r, format);
  case Family::Conv2d:
    return readConv2d(r, format);
  case Family::Attention:
    return readAttention(r, format);
  case Family::Softmax:
  case Family::LayerNorm: {
    RowsProblem p;
    p.rows = r.size(Column::Rows);
    p.cols = r.size(Column::Cols);
    return family == Family::Softmax ? softmaxWork(p, format)
                                     : layerNormWork(p, format);
  }
  case Family::Elementwise:
    return readElementwise(r, format);
  case Family::Collective:
    return readCollective(r, gpu, defaults);
  }
  return std::nullopt;
}

/// Matrix units must have the format; memory takes any.
static NumericFormat readFormat(RowReader &r, Family family, const Gpu &gpu,
                                NumericFormat fallback) {
  NumericFormat format = fallback;
  if (r.has(Column::Dtype)) {
    llvm::SmallVector<llvm::StringRef> names;
    for (NumericFormat each : queryFormats())
      names.push_back(stringifyNumericFormat(each));
    format = *symbolizeNumericFormat(names[r.choice(Column::Dtype, names)]);
  }
  bool usesMatrixUnit = family == Family::Matmul || family == Family::Conv2d ||
                        family == Family::Attention;
  std::string expected =
      usesMatrixUnit ? expectedMatrixFormat(gpu, format) : std::string();
  if (!expected.empty())
    r.fail(Column::Dtype, expected);
  return format;
}

static void readQuery(RowReader &r, const Gpu &gpu,
                      const QueryDefaults &defaults, KernelQuery &query) {
  constexpr double any = std::numeric_limits<double>::infinity();
  query.clock = defaults.clock;
  query.powerLimit = defaults.powerLimit;
  if (auto clock = r.number(Column::ClockMhz, gpu.maxClock.value() * 1e-6))
    query.clock = Hertz(*clock * 1e6);
  if (auto limit = r.number(Column::PowerLimitW, any))
    query.powerLimit = Watts(*limit);
  if (auto bytes = r.number(Column::ReuseBytes, any))
    query.reuseBytesA = query.reuseBytesB = *bytes;
  BenchmarkProtocol benchmark;
  if (auto toggleRate = r.number(Column::ToggleRate, 2))
    benchmark.toggleRate = *toggleRate;
  if (auto burst = r.number(Column::BurstMs, any))
    benchmark.burst = Seconds(*burst * 1e-3);
  if (auto warmUp = r.number(Column::WarmUpMs, any))
    benchmark.warmUp = Seconds(*warmUp * 1e-3);
  if (auto share = r.number(Column::CacheShare, 1))
    benchmark.cacheShare = *share;
  benchmark.writesCache = r.flag(Column::CacheWrite, false);
  if (r.has(Column::Protocol) &&
      r.choice(Column::Protocol, protocolNames) == benchmarkProtocol)
    query.benchmark = benchmark;
  for (Column column : {Column::ToggleRate, Column::BurstMs, Column::WarmUpMs,
                        Column::CacheShare, Column::CacheWrite})
    if (r.has(column) && !query.benchmark && !r.failed())
      r.fail(Column::Protocol,
             "benchmark beside '" + columnName(column).str() + "'");
}

llvm::Error gpucost::readKernel(const QueryCells &cells, TextPosition row,
                                const Gpu &gpu, const QueryDefaults &defaults,
                                QueriedKernel &kernel) {
  RowReader r(cells, row, defaults.source);
  auto family = static_cast<Family>(r.choice(Column::Family, familyNames));
  if (r.failed())
    return r.takeError();
  r.family = familyNames[static_cast<size_t>(family)];
  NumericFormat format = readFormat(r, family, gpu, defaults.format);
  std::optional<KernelWork> work = readWork(r, family, format, gpu, defaults);
  kernel.query = KernelQuery();
  readQuery(r, gpu, defaults, kernel.query);
  if (!work)
    r.failRow("expected a kernel whose FLOPs and bytes fit 63 bits");
  if (r.failed())
    return r.takeError();
  kernel.work = *work;
  return readSchedule(cells, r.family, defaults.source, kernel);
}
