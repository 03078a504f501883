//===- AlignProfile.cpp - Matches measured to predicted kernels -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/AlignProfile.h"
#include "gpucost/Core/Vocabulary/Families.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>
#include <limits>
#include <tuple>

using namespace gpucost;
using namespace gpucost::transfer;
using llvm::StringRef;

/// Cost of an unpaired kernel.
static constexpr double alone = 0.5;
/// Largest part of a pair's cost that depends on its times: less than any step
/// between families.
static constexpr double timePart = 0.2;
/// Times that differ by this factor or more cost `timePart`.
static constexpr double farApart = 4;
static constexpr double otherFamily = 0.7, unknownFamily = 0.4;
/// Times that differ by less than this factor may be those of one kernel.
static constexpr double similar = 2;
/// Largest number of cells in the cost table: 400 MB of steps.
static constexpr double mostCells = 4e8;

static bool areSubstitutes(KernelFamily a, KernelFamily b) {
  Substitutes common = infoOf(a).substitutes;
  return common != Substitutes::None && common == infoOf(b).substitutes;
}

static double pairCost(const MeasuredKernel &measured,
                       const PredictedKernel &predicted) {
  double base = unknownFamily;
  if (measured.family) {
    if (*measured.family == predicted.family)
      base = 0;
    else if (areSubstitutes(*measured.family, predicted.family))
      base = otherFamily;
    else
      return std::numeric_limits<double>::infinity();
  }
  if (measured.timeUs <= 0 || predicted.row.timeUs <= 0)
    return base + timePart;
  double distance = std::fabs(std::log(measured.timeUs / predicted.row.timeUs));
  return base + timePart * std::min(1.0, distance / std::log(farApart));
}

/// The predicted kernel for each measured one, -1 for none.
static llvm::Expected<std::vector<int64_t>>
alignSequence(const Profile &profile, const PredictedRun &run) {
  size_t rows = profile.kernels.size(), columns = run.sequence.size();
  if (columns == 0 ||
      static_cast<double>(rows + 1) * static_cast<double>(columns + 1) >
          mostCells)
    return llvm::createStringError(
        "the trace has " + std::to_string(rows) +
        " kernels and the prediction " + std::to_string(columns) +
        " launches, too many to align; give one iteration, with its number of "
        "steps by --iterations");
  enum Step : uint8_t { Pair, Extra, Missing };
  std::vector<Step> steps((rows + 1) * (columns + 1));
  std::vector<double> above(columns + 1), here(columns + 1);
  for (size_t j = 1; j <= columns; ++j) {
    above[j] = above[j - 1] + alone;
    steps[j] = Missing;
  }
  for (size_t i = 1; i <= rows; ++i) {
    here[0] = above[0] + alone;
    Step *row = &steps[i * (columns + 1)];
    row[0] = Extra;
    for (size_t j = 1; j <= columns; ++j) {
      double pair = above[j - 1] + pairCost(profile.kernels[i - 1],
                                            run.kernels[run.sequence[j - 1]]);
      double extra = above[j] + alone, missing = here[j - 1] + alone;
      here[j] = std::min({pair, extra, missing});
      row[j] = here[j] == pair ? Pair : here[j] == extra ? Extra : Missing;
    }
    std::swap(above, here);
  }
  std::vector<int64_t> partners(rows, -1);
  for (size_t i = rows, j = columns; i > 0 || j > 0;) {
    switch (steps[i * (columns + 1) + j]) {
    case Pair:
      --i;
      --j;
      partners[i] = run.sequence[j];
      break;
    case Extra:
      --i;
      break;
    case Missing:
      --j;
      break;
    }
  }
  return partners;
}

static llvm::StringMap<StringRef> sizesOf(StringRef shape) {
  llvm::StringMap<StringRef> sizes;
  llvm::SmallVector<StringRef> words;
  shape.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    sizes[word.split('=').first] = word.split('=').second;
  return sizes;
}

bool transfer::isSameShape(StringRef a, StringRef b) {
  llvm::StringMap<StringRef> left = sizesOf(a), right = sizesOf(b);
  bool common = false;
  auto covers = [&](const llvm::StringMap<StringRef> &some,
                    const llvm::StringMap<StringRef> &other) {
    for (const auto &size : some) {
      auto it = other.find(size.first());
      bool trivial = size.second == "0" || size.second == "1";
      if (it == other.end() ? !trivial : it->second != size.second)
        return false;
      common |= it != other.end();
    }
    return true;
  };
  return covers(left, right) && covers(right, left) && common;
}

/// The predicted kernel for a table row, -1 for none.
static int64_t findKernel(const MeasuredKernel &row, const PredictedRun &run) {
  auto opFits = [&](const PredictedKernel &kernel) {
    return !row.op.empty() &&
           (StringRef(kernel.row.label).contains_insensitive(row.op) ||
            StringRef(kernel.row.op).contains_insensitive(row.op));
  };
  int64_t best = -1;
  int bestRank = 0;
  for (size_t i = 0; i < run.kernels.size(); ++i) {
    const PredictedKernel &kernel = run.kernels[i];
    bool family = !row.family || *row.family == kernel.family;
    bool shape = !row.shape.empty() && isSameShape(row.shape, kernel.row.shape);
    bool named = !row.name.empty() && row.name == kernel.row.name;
    if (!row.shape.empty() && !shape)
      continue;
    // A node may launch several kernels, such as a matmul and the copy before
    // it.
    int rank = named && (family || opFits(kernel)) ? 4 + opFits(kernel)
               : shape && row.family && family     ? 1 + opFits(kernel)
                                                   : 0;
    if (rank > bestRank) {
      best = static_cast<int64_t>(i);
      bestRank = rank;
    }
  }
  return best;
}

namespace {

/// Sums up the measurements.
class Collector {
public:
  explicit Collector(const PredictedRun &run) : run(run) {
    result.kernels.resize(run.kernels.size());
    longestOf.resize(run.kernels.size());
  }

  void add(int64_t kernel, const MeasuredKernel &measured, int64_t launches) {
    double time = measured.timeUs * static_cast<double>(launches);
    all += time;
    AlignedKernel &aligned = result.kernels[static_cast<size_t>(kernel)];
    aligned.launches += launches;
    aligned.totalUs += time;
    matched += time;
    double ratio = measured.timeUs / run.kernels[kernel].row.timeUs;
    agreeing += ratio <= similar && ratio >= 1 / similar ? time : 0;
    double &longest = longestOf[static_cast<size_t>(kernel)];
    if (time > longest) {
      longest = time;
      aligned.name = measured.name;
      aligned.tile = measured.tile;
    }
  }
  void addExtra(const MeasuredKernel &measured, int64_t launches) {
    double time = measured.timeUs * static_cast<double>(launches);
    all += time;
    auto it = llvm::find_if(result.extra, [&](const ExtraKernel &extra) {
      return extra.name == measured.name && extra.family == measured.family;
    });
    if (it == result.extra.end())
      it = result.extra.insert(it, {measured.name, measured.family, 0, 0});
    it->launches += launches;
    it->totalUs += time;
  }
  void addFamily(const MeasuredKernel &measured, int64_t launches) {
    double time = measured.timeUs * static_cast<double>(launches);
    all += time;
    matched += time;
    agreeing += time;
    result.familyUs[*measured.family] += time;
  }
  Alignment finish() {
    llvm::sort(result.extra, [](const ExtraKernel &a, const ExtraKernel &b) {
      return std::tie(b.totalUs, a.name) < std::tie(a.totalUs, b.name);
    });
    result.matched = all > 0 ? matched / all : 0;
    result.agreeing = all > 0 ? agreeing / all : 0;
    return std::move(result);
  }

private:
  const PredictedRun &run;
  Alignment result;
  std::vector<double> longestOf;
  double all = 0, matched = 0, agreeing = 0;
};

} // namespace

llvm::Expected<Alignment> transfer::alignProfile(const Profile &profile,
                                                 const PredictedRun &run) {
  Collector collector(run);
  if (profile.isTrace) {
    llvm::Expected<std::vector<int64_t>> partners = alignSequence(profile, run);
    if (!partners)
      return partners.takeError();
    for (size_t i = 0; i < profile.kernels.size(); ++i)
      if ((*partners)[i] >= 0)
        collector.add((*partners)[i], profile.kernels[i], 1);
      else
        collector.addExtra(profile.kernels[i], 1);
  } else {
    for (const MeasuredKernel &row : profile.kernels) {
      int64_t kernel = findKernel(row, run);
      bool bare = kernel < 0 && row.shape.empty() && row.family &&
                  llvm::any_of(
                      run.kernels,
                      [&](const PredictedKernel &each) {
                        return each.family == *row.family;
                      });
      if (kernel >= 0)
        collector.add(kernel, row,
                      row.count ? row.count : run.kernels[kernel].row.count);
      else if (bare)
        collector.addFamily(row, std::max<int64_t>(row.count, 1));
      else
        collector.addExtra(row, std::max<int64_t>(row.count, 1));
    }
  }
  Alignment alignment = collector.finish();
  // Rows of a table are means; the model determines the number of launches.
  for (size_t i = 0; !profile.isTrace && i < run.kernels.size(); ++i) {
    AlignedKernel &aligned = alignment.kernels[i];
    if (aligned.launches == 0)
      continue;
    double mean = aligned.meanUs();
    aligned.launches = run.kernels[i].row.count;
    aligned.totalUs = mean * static_cast<double>(aligned.launches);
  }
  if (alignment.matched == 0)
    return llvm::createStringError(
        "no measured kernel fits one of the prediction; is it of this model, "
        "with these settings?");
  return alignment;
}
