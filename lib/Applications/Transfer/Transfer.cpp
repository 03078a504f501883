//===- Transfer.cpp - Scales a profile to another GPU ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/Transfer.h"
#include "gpucost/Applications/Compare/AlignKernels.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::compare;
using namespace gpucost::transfer;

/// A larger ratio more likely indicates a misalignment than a property of the
/// GPU.
static constexpr double largestRatio = 4;
/// Difference between two traces of one run.
static constexpr double traceError = 0.01;
/// Largest ratio of host time to its prediction.
static constexpr double slowestHost = 1000;

static constexpr SharedError sameBoard = {1, 1}, sameDie = {0.75, 0.5},
                             otherDie = {0.5, 0};

double SharedError::remaining() const {
  return std::sqrt(1 + weight * weight - 2 * weight * least);
}

SharedError transfer::sharedError(const PredictedRun &from,
                                  const PredictedRun &to) {
  if (from.gpu == to.gpu && from.clockMHz == to.clockMHz)
    return sameBoard;
  return from.die == to.die ? sameDie : otherDie;
}

/// Measured divided by predicted time of each family on A.
namespace {
struct FamilyRatios {
  std::map<KernelFamily, std::pair<double, double>> sums; // measured, predicted
  double of(KernelFamily family) const {
    auto it = sums.find(family);
    return it == sums.end() || it->second.second <= 0
               ? 1
               : it->second.first / it->second.second;
  }
};
} // namespace

static bool isUsable(double ratio) {
  return std::isfinite(ratio) && ratio <= largestRatio &&
         ratio >= 1 / largestRatio;
}

static FamilyRatios familyRatios(const Alignment &alignment,
                                 const PredictedRun &from) {
  FamilyRatios ratios;
  std::map<KernelFamily, double> predicted;
  for (size_t i = 0; i < from.kernels.size(); ++i) {
    const PredictedKernel &kernel = from.kernels[i];
    const AlignedKernel &aligned = alignment.kernels[i];
    predicted[kernel.family] += kernel.row.totalUs();
    if (aligned.launches == 0 || kernel.row.timeUs <= 0 ||
        !isUsable(aligned.meanUs() / kernel.row.timeUs))
      continue;
    auto &sum = ratios.sums[kernel.family];
    sum.first += aligned.totalUs;
    sum.second += kernel.row.timeUs * static_cast<double>(aligned.launches);
  }
  for (const auto &[family, time] : alignment.familyUs)
    if (isUsable(time / predicted[family]))
      ratios.sums[family] = {time, predicted[family]};
  return ratios;
}

/// For each kernel of `to` the kernel of `from`, -1 for none.
static std::vector<int64_t> counterparts(const PredictedRun &from,
                                         const PredictedRun &to) {
  auto rows = [](const PredictedRun &run) {
    std::vector<ComparedKernel> list;
    for (const PredictedKernel &kernel : run.kernels)
      list.push_back(kernel.row);
    return list;
  };
  std::vector<int64_t> result(to.kernels.size(), -1);
  for (KernelPair pair : alignKernels(rows(from), rows(to)))
    if (pair.before >= 0 && pair.after >= 0)
      result[static_cast<size_t>(pair.after)] = pair.before;
  return result;
}

/// w = c s_B / s_A, with the ratio at most 1.
static double weightOf(double shared, std::optional<double> widthA,
                       std::optional<double> widthB) {
  if (!widthA || !widthB || *widthA <= 0)
    return shared;
  return shared * std::min(1.0, std::log1p(*widthB) / std::log1p(*widthA));
}

namespace {

/// Computes one transfer.
class Carrier {
public:
  Carrier(const Profile &profile, const Alignment &alignment,
          const PredictedRun &from, const ProfileGaps &gaps,
          const PredictedRun &to, const PlacedModel &placed)
      : profile(profile), alignment(alignment), from(from), gaps(gaps), to(to),
        placed(placed), shared(sharedError(from, to)) {}

  CarriedRun run();

private:
  /// The error that a kernel shares with its family is unknown.
  SharedError sharedBy(CarryBasis basis) const {
    return basis == CarryBasis::None     ? SharedError()
           : basis == CarryBasis::Kernel ? shared
                                         : otherDie;
  }
  CarriedKernel carryKernel(size_t index, int64_t origin) const;
  void carryExtra();
  void carryHost();
  void compose();
  void addIntervals();

  const Profile &profile;
  const Alignment &alignment;
  const PredictedRun &from;
  const ProfileGaps &gaps;
  const PredictedRun &to;
  const PlacedModel &placed;
  SharedError shared;
  FamilyRatios ratios;
  CarriedRun result;
};

} // namespace

CarriedKernel Carrier::carryKernel(size_t index, int64_t origin) const {
  const PredictedKernel &kernel = to.kernels[index];
  CarriedKernel carried;
  carried.kernel = index;
  carried.count = kernel.row.count;
  carried.timeUs = kernel.row.timeUs;
  // Links are separate hardware.
  if (kernel.phase == Phase::Communication)
    return carried;
  const AlignedKernel *aligned =
      origin < 0 ? nullptr : &alignment.kernels[static_cast<size_t>(origin)];
  std::optional<double> width;
  if (origin >= 0) {
    const PredictedKernel &source = from.kernels[static_cast<size_t>(origin)];
    width = source.halfWidth;
    // Another shape has another schedule, so only the family's ratio applies.
    bool alike = source.row.shape == kernel.row.shape &&
                 source.row.format == kernel.row.format;
    if (aligned->launches > 0 && source.row.timeUs > 0 && alike) {
      carried.basis = CarryBasis::Kernel;
      carried.ratio = aligned->meanUs() / source.row.timeUs;
    }
    // A complete trace shows launches that never run: fused, or a different
    // graph.
    if (profile.isTrace && source.row.count > 0 &&
        aligned->launches < source.row.count)
      carried.count = static_cast<int64_t>(
          std::llround(static_cast<double>(kernel.row.count) *
                       static_cast<double>(aligned->launches) /
                       static_cast<double>(source.row.count)));
  }
  if (carried.basis == CarryBasis::Kernel && !isUsable(carried.ratio)) {
    carried.basis = CarryBasis::None;
    carried.ratio = 1;
  } else if (carried.basis == CarryBasis::None &&
             ratios.sums.count(kernel.family)) {
    carried.basis = CarryBasis::Family;
    carried.ratio = ratios.of(kernel.family);
  }
  if (carried.basis == CarryBasis::None)
    return carried;
  double known = sharedBy(carried.basis).weight;
  carried.weight = weightOf(known, width, kernel.halfWidth);
  carried.timeUs *= std::pow(carried.ratio, carried.weight);
  return carried;
}

/// Extra kernels scale with the predicted times of their family, or with all
/// kernels.
void Carrier::carryExtra() {
  if (!profile.isTrace)
    return;
  auto timeOf = [](const PredictedRun &run,
                   std::optional<KernelFamily> family) {
    double sum = 0;
    for (const PredictedKernel &kernel : run.kernels)
      if (kernel.phase != Phase::Communication &&
          (!family || kernel.family == *family))
        sum += kernel.row.totalUs();
    return sum;
  };
  for (const ExtraKernel &extra : alignment.extra) {
    if (extra.family == KernelFamily::Collective)
      continue;
    double before = timeOf(from, extra.family),
           after = timeOf(to, extra.family);
    if (before <= 0 || after <= 0) {
      before = timeOf(from, std::nullopt);
      after = timeOf(to, std::nullopt);
    }
    if (before > 0)
      result.extraUs += extra.totalUs * after / before;
  }
}

/// Host time is scaled by the ratio that reproduces the measured iteration. If
/// the run was not host-bound, the largest ratio within the trace error is
/// used.
void Carrier::carryHost() {
  double gap = from.report.gap().value() * 1e6;
  if (!profile.isTrace || from.report.host <= Seconds(0))
    return;
  if (gap > 0 && !gaps.hostBound)
    result.gapRatio = std::min(1.0, (profile.idleUs - profile.exposedUs) / gap);
  PredictedRun::PhaseTimes busy = {};
  for (size_t i = 0; i < from.kernels.size(); ++i)
    busy[static_cast<size_t>(from.kernels[i].phase)] +=
        Seconds(alignment.kernels[i].totalUs * 1e-6);
  for (const PhaseTotals &phase : from.report.phases)
    busy[static_cast<size_t>(phase.phase)] += phase.gap() * result.gapRatio;
  busy[static_cast<size_t>(Phase::Forward)] += Seconds(gaps.extraUs * 1e-6);
  // `timeWith` adds the exposed communication that is predicted.
  double computed = profile.iterationUs - profile.exposedUs +
                    from.report.exposedCommunication.value() * 1e6;
  Seconds measured(computed * 1e-6 * (gaps.hostBound ? 1 : 1 + traceError));
  double low = 0, high = gaps.hostBound ? slowestHost : 1;
  for (int step = 0; step < 50; ++step) {
    double middle = (low + high) / 2;
    (from.timeWith(busy, middle) <= measured ? low : high) = middle;
  }
  result.hostRatio = high;
}

/// (H2) by phase, with the corrected times of kernels, gaps and host. Nothing
/// else changes.
void Carrier::compose() {
  const CostModel &model = placed.model();
  double launches = 0;
  for (const PredictedKernel &kernel : to.kernels)
    if (kernel.phase != Phase::Communication)
      launches += static_cast<double>(kernel.row.count);
  Seconds gap = launches > 0 ? to.report.gap() / launches : Seconds(0);
  PredictedRun::PhaseTimes busy = {};
  for (const CarriedKernel &carried : result.kernels)
    busy[static_cast<size_t>(to.kernels[carried.kernel].phase)] +=
        (Seconds(carried.timeUs * 1e-6) + gap * result.gapRatio) *
        static_cast<double>(carried.count);
  busy[static_cast<size_t>(Phase::Forward)] += Seconds(result.extraUs * 1e-6);
  result.predictedTime = to.report.time;
  result.energy = result.predictedEnergy = to.report.energy;
  result.time = to.timeWith(busy, result.hostRatio);
  // On the same links, exposed communication is as measured; otherwise as
  // predicted.
  if (profile.isTrace && shared.weight == sameBoard.weight)
    result.time =
        std::max(Seconds(0), result.time - to.report.exposedCommunication +
                                 Seconds(profile.exposedUs * 1e-6));
  // (P5) Constant power is charged for the new time.
  Seconds active, before;
  for (const PhaseTotals &phase : to.report.phases)
    if (phase.phase != Phase::Communication) {
      active += busy[static_cast<size_t>(phase.phase)];
      before += phase.gpuBusy;
    }
  auto standing = [&](Seconds time, Seconds smBusy) {
    return model.energy(KernelEvents(), time, std::min(smBusy, time),
                        to.report.clock);
  };
  result.energy +=
      standing(result.time, active) - standing(result.predictedTime, before);
  // Launches that never run do no work.
  for (const CarriedKernel &carried : result.kernels) {
    const ComparedKernel &row = to.kernels[carried.kernel].row;
    Seconds time(row.timeUs * 1e-6);
    Joules work =
        std::max(Joules(0), Joules(row.energyJ) - standing(time, time));
    result.energy += work * static_cast<double>(carried.count - row.count);
  }
  // The limiter extends the time until the limit is met; on the measured board
  // this has already happened.
  Watts limit = to.report.largestPower();
  if (to.report.limitUnreachable || result.power() <= limit)
    return;
  if (shared.weight == sameBoard.weight) {
    result.energy = limit * result.time;
    return;
  }
  result.time *= result.power() / limit;
  result.notes.push_back("the power limit of " + siText(limit) +
                         " holds the time up");
}

/// Remaining half-width of B, weighted by the time of the corrected kernels.
void Carrier::addIntervals() {
  if (!to.report.errorBars || gaps.isDoubtful())
    return;
  double corrected = 0, all = 0;
  for (const CarriedKernel &carried : result.kernels) {
    double time = carried.timeUs * static_cast<double>(carried.count);
    corrected += time * sharedBy(carried.basis).remaining();
    all += time;
  }
  double share = all > 0 ? corrected / all : 1;
  std::optional<IterationErrorBars> bars = to.report.errorBars;
  // A trace also measures the host.
  if (profile.isTrace) {
    Settings settings = placed.prepared().settings;
    settings.hostLaunch = settings.hostLaunch.value_or(to.runtime.hostLaunch);
    bars = placed.evaluate(settings).errorBars;
  }
  result.timeHalfWidth = std::max(bars->time * share, traceError);
  result.energyHalfWidth = bars->energy;
}

CarriedRun Carrier::run() {
  ratios = familyRatios(alignment, from);
  std::vector<int64_t> origins = counterparts(from, to);
  for (size_t i = 0; i < to.kernels.size(); ++i)
    result.kernels.push_back(carryKernel(i, origins[i]));
  carryExtra();
  carryHost();
  compose();
  addIntervals();
  const Settings &settings = placed.prepared().settings;
  if (std::string why =
          placed.describeBrokenLimit(settings, placed.solve(settings));
      !why.empty())
    result.notes.push_back(why);
  return std::move(result);
}

CarriedRun transfer::carryOver(const Profile &profile,
                               const Alignment &alignment,
                               const PredictedRun &from,
                               const ProfileGaps &gaps, const PredictedRun &to,
                               const PlacedModel &placed) {
  return Carrier(profile, alignment, from, gaps, to, placed).run();
}
