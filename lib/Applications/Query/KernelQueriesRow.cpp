//===- KernelQueriesRow.cpp - One queried kernel --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Query/KernelQueriesRow.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace gpucost;
using Column = QueryColumn;

std::vector<llvm::StringRef> gpucost::columnNames() {
  return {std::begin(queryColumnNames), std::end(queryColumnNames)};
}

llvm::StringRef gpucost::columnName(Column column) {
  return queryColumnNames[static_cast<size_t>(column)];
}

static llvm::StringRef fieldOfNeutralWord(llvm::StringRef name) {
#define NEUTRAL_WORD(word, field)                                              \
  if (name == word)                                                            \
    return field;
#include "gpucost/Core/Model/Schedule.def"
#undef NEUTRAL_WORD
  return name;
}

std::optional<Column> gpucost::findColumn(llvm::StringRef name) {
  name = fieldOfNeutralWord(name);
  for (size_t i = 0; i < numQueryColumns; ++i)
    if (name == llvm::StringRef(queryColumnNames[i]))
      return static_cast<Column>(i);
  return std::nullopt;
}

std::string gpucost::suggestNearest(llvm::StringRef text,
                                    llvm::ArrayRef<llvm::StringRef> known) {
  llvm::StringRef nearest =
      nearestName(text.lower(), known, std::max<unsigned>(1, text.size() / 2));
  return nearest.empty() ? "" : ", did you mean '" + nearest.str() + "'?";
}

llvm::Error gpucost::errorAt(llvm::StringRef source, TextPosition at,
                             const llvm::Twine &message) {
  return llvm::createStringError(source + ":" + llvm::Twine(at.line) + ":" +
                                 llvm::Twine(at.column) + ": " + message);
}

namespace {

/// Of QueryFamily.
constexpr llvm::StringRef familyNames[] = {
    "matmul",    "conv2d",      "attention", "softmax",
    "layernorm", "elementwise", "collective"};
constexpr llvm::StringRef collectiveNames[] = {"all_reduce",     "all_gather",
                                               "reduce_scatter", "all_to_all",
                                               "broadcast",      "send_recv"};

/// Environment of the kernel; `benchmark` is a BenchmarkProtocol.
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
  int64_t size(Column column, int64_t fallback) {
    return integer(column, 1, fallback);
  }
  int64_t extra(Column column, int64_t fallback) {
    return integer(column, 1, fallback);
  }
  int64_t padding(Column column) { return integer(column, 0, 0); }
  int64_t integer(Column column, int64_t least, std::optional<int64_t> fallback,
                  int64_t most = largestSize);
  /// A number in (0, most].
  std::optional<double> number(Column column, double most);
  bool flag(Column column, bool fallback = false);
  bool isLinear(bool fallback) { return flag(Column::Linear, fallback); }
  const ElementwiseOp *elementwiseOp();
  /// A format that kernels compute in.
  NumericFormat format(Column column);
  NumericFormat cacheFormat(NumericFormat format);
  std::optional<CollectiveKind> collective() {
    return symbolizeCollectiveKind(
        collectiveNames[choice(Column::Op, collectiveNames)]);
  }
  /// Sets `value` to the case that the column names; false if it has none.
  template <typename Enum> bool read(Column column, Enum &value) {
    if (!has(column))
      return false;
    std::optional<Enum> found = symbolizeEnum<Enum>(text(column));
    if (!found)
      fail(column, listAlternatives(caseNames<Enum>()));
    value = found.value_or(value);
    return true;
  }
  /// Index in `known` of the text in `column`.
  size_t choice(Column column, llvm::ArrayRef<llvm::StringRef> known,
                size_t fallback = ~size_t(0));
  void fail(Column column, const llvm::Twine &expectation);
  void refuse(const std::optional<SizeFault> &fault) {
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
             (family.empty() ? "" : " for kernels of family '" + family + "'") +
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
                           std::optional<int64_t> fallback, int64_t most) {
  llvm::StringRef digits = text(column);
  if (digits.empty() && fallback)
    return *fallback;
  // Spreadsheets and pandas write 128 as 128.0 if other cells are empty.
  auto [whole, zeros] = digits.split('.');
  if (!zeros.empty() && zeros.find_first_not_of('0') == llvm::StringRef::npos)
    digits = whole;
  int64_t value;
  if (!digits.getAsInteger(10, value) && value >= least && value <= most)
    return value;
  fail(column, "an integer from " + llvm::Twine(least) + " to " +
                   (most == largestSize ? "2^40" : std::to_string(most)));
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

const ElementwiseOp *RowReader::elementwiseOp() {
  llvm::SmallVector<llvm::StringRef, 32> known;
  for (const ElementwiseOp &candidate : elementwiseOps()) {
    if (text(Column::Op) == llvm::StringRef(candidate.name))
      return &candidate;
    known.push_back(candidate.name);
  }
  choice(Column::Op, known);
  return nullptr;
}

NumericFormat RowReader::format(Column column) {
  llvm::SmallVector<llvm::StringRef> names;
  for (NumericFormat each : queryFormats())
    names.push_back(stringifyNumericFormat(each));
  return *symbolizeNumericFormat(names[choice(column, names)]);
}

NumericFormat RowReader::cacheFormat(NumericFormat own) {
  if (!has(Column::KvDtype))
    return own;
  NumericFormat stated = format(Column::KvDtype);
  if (std::string expected = expectedCacheFormat(own, stated);
      !expected.empty())
    fail(Column::KvDtype, expected);
  return stated;
}

static NumericFormat readFormat(RowReader &r, QueryFamily family,
                                const Gpu &gpu, NumericFormat fallback) {
  NumericFormat format =
      r.has(Column::Dtype) ? r.format(Column::Dtype) : fallback;
  std::string expected;
  if (usesMatrixUnit(family))
    expected = expectedMatrixFormat(gpu, format);
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
             "benchmark with '" + columnName(column).str() + "'");
}

/// Largest number of schedules in an answer.
static constexpr int64_t mostAnswers = 100000;

static void readField(RowReader &r, Column column, const FieldInfo &field,
                      int32_t &value) {
  value = static_cast<int32_t>(
      r.integer(column, 0, 0, static_cast<int64_t>(field.range.high)));
}
static void readField(RowReader &r, Column column, const FieldInfo &,
                      OperandPath &value) {
  r.read(column, value);
}

static void readGoal(RowReader &r, ScheduleRequest &request) {
  bool searches = r.read(Column::Objective, request.goal.objective);
  if (auto limit = r.number(Column::TimeLimitUs,
                            std::numeric_limits<double>::infinity())) {
    request.goal.timeLimit = Seconds(*limit * 1e-6);
    searches = true;
  }
  if (r.has(Column::Top))
    request.top =
        static_cast<size_t>(r.integer(Column::Top, 1, 1, mostAnswers));
  else if (searches)
    request.top = 1;
}

/// Sets `kernel.request` if a column requests a schedule.
static void readSchedule(RowReader &r, QueriedKernel &kernel) {
  std::optional<Column> asked;
  for (size_t i = numQueryColumns; i-- > 0;)
    if (auto column = static_cast<Column>(i);
        asksForSchedule(column) && r.has(column))
      asked = column;
  if (!asked)
    return;
  KernelFamily family = kernel.work.family;
  if (family != KernelFamily::Matmul && family != KernelFamily::Convolution &&
      family != KernelFamily::Attention &&
      family != KernelFamily::Elementwise && family != KernelFamily::Softmax &&
      family != KernelFamily::Normalization)
    return r.fail(*asked,
                  "a kernel of family matmul, conv2d, attention, elementwise, "
                  "softmax or layernorm, not " +
                      r.family);
  ScheduleRequest request;
  auto column = static_cast<size_t>(Column::tileM);
  visitFields(request.fixed, [&](const FieldInfo &field, auto &value) {
    readField(r, static_cast<Column>(column++), field, value);
  });
  assert(column == static_cast<size_t>(Column::Top) &&
         "the columns follow Schedule.def");
  readGoal(r, request);
  // `block_scaled=0` by itself does not request a schedule.
  const auto *product = kernel.work.getIf<MatmulProblem>();
  if (asked != Column::BlockScaled || (product && product->blockScaled) ||
      !(request.fixed == Schedule()) || request.top)
    kernel.request = request;
}

llvm::Error gpucost::readKernel(const QueryCells &cells, TextPosition row,
                                const Gpu &gpu, const QueryDefaults &defaults,
                                QueriedKernel &kernel) {
  RowReader r(cells, row, defaults.source);
  auto family = static_cast<QueryFamily>(r.choice(Column::Family, familyNames));
  if (r.failed())
    return r.takeError();
  r.family = familyNames[static_cast<size_t>(family)];
  NumericFormat format = readFormat(r, family, gpu, defaults.format);
  std::optional<KernelWork> work =
      readKernelWork(r, family, format, defaults.nodes);
  kernel.query = KernelQuery();
  readQuery(r, gpu, defaults, kernel.query);
  if (!work)
    r.failRow("expected a kernel whose FLOPs and bytes fit 63 bits");
  if (r.failed())
    return r.takeError();
  kernel.work = *work;
  kernel.request.reset();
  readSchedule(r, kernel);
  return r.takeError();
}
