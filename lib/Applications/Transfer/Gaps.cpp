//===- Gaps.cpp - Why measured and predicted times differ -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Transfer/Transfer.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::compare;
using namespace gpucost::transfer;

/// Share of the iteration without a kernel that makes a run host-bound.
static constexpr double hostBoundShare = 0.1;
/// Largest median deviation of kernels not bound by the clock, for the clock to
/// explain the others.
static constexpr double steady = 0.05;
/// A clock slows all kernels that it bounds by one factor: most of their time
/// must be this close to the factor, and there must be several of them.
static constexpr double uniform = 0.1, nearlyAll = 0.8;
static constexpr size_t fewest = 3;

/// Least fraction of the time that agrees.
static constexpr double leastAgreement = 0.6;

static bool hasAlgorithms(KernelFamily family) {
  return family == KernelFamily::Matmul ||
         family == KernelFamily::Convolution ||
         family == KernelFamily::Attention;
}

/// Kernels bound by the SM clock; DRAM and links have separate clocks.
static bool isClockBound(const ComparedKernel &row) {
  return row.bound == "tensor" || row.bound == "fp32" || row.bound == "issue" ||
         row.bound == "l2";
}

/// Median ratio, weighted by time.
static std::optional<double>
medianRatio(std::vector<std::pair<double, double>> ratios) {
  llvm::sort(ratios);
  double all = 0, sum = 0;
  for (const auto &[ratio, time] : ratios)
    all += time;
  for (const auto &[ratio, time] : ratios)
    if ((sum += time) >= all / 2 && all > 0)
      return ratio;
  return std::nullopt;
}

/// Whether nearly all of the time has about the same ratio.
static bool isUniform(const std::vector<std::pair<double, double>> &ratios,
                      double ratio) {
  double all = 0, near = 0;
  for (const auto &[each, time] : ratios) {
    all += time;
    near += std::fabs(each / ratio - 1) <= uniform ? time : 0;
  }
  return ratios.size() >= fewest && near >= nearlyAll * all;
}

/// Ratio of the clocks if matmuls, but not copies, run at another clock than
/// predicted.
static std::optional<double> findClockRatio(const Alignment &alignment,
                                            const PredictedRun &run) {
  std::vector<std::pair<double, double>> bound, others;
  for (size_t i = 0; i < run.kernels.size(); ++i) {
    const AlignedKernel &aligned = alignment.kernels[i];
    const ComparedKernel &row = run.kernels[i].row;
    if (aligned.launches == 0 || row.timeUs <= 0)
      continue;
    (isClockBound(row) ? bound : others)
        .emplace_back(aligned.meanUs() / row.timeUs, aligned.totalUs);
  }
  std::optional<double> own = medianRatio(bound);
  std::optional<double> rest = medianRatio(others);
  if (!own || !rest || std::fabs(*rest - 1) > steady || *own < 1 + 2 * steady ||
      !isUniform(bound, *own))
    return std::nullopt;
  return own;
}

static bool isWithin(const PredictedKernel &kernel, double measuredUs) {
  double wide = 1 + kernel.halfWidth.value_or(0.25);
  return measuredUs <= kernel.row.timeUs * wide &&
         measuredUs >= kernel.row.timeUs / wide;
}

static KernelGap explainKernel(size_t index, const PredictedKernel &kernel,
                               const AlignedKernel &aligned, bool isTrace,
                               std::optional<double> clockRatio) {
  KernelGap gap;
  gap.kernel = index;
  const ComparedKernel &row = kernel.row;
  gap.missing =
      isTrace ? std::max<int64_t>(0, row.count - aligned.launches) : 0;
  gap.missingUs = row.timeUs * static_cast<double>(gap.missing);
  if (aligned.launches == 0) {
    gap.reason = isTrace ? GapReason::Missing : GapReason::NotMeasured;
    return gap;
  }
  gap.differenceUs =
      aligned.totalUs - row.timeUs * static_cast<double>(aligned.launches);
  if (!aligned.tile.empty() && !row.tile.empty() && aligned.tile != row.tile)
    gap.detail = "tile " + aligned.tile + ", predicted " + row.tile;
  double mean = aligned.meanUs();
  if (isWithin(kernel, mean))
    gap.reason = GapReason::Agrees;
  else if (clockRatio && isClockBound(row) &&
           isWithin(kernel, mean / *clockRatio))
    gap.reason = GapReason::Clock;
  else if (hasAlgorithms(kernel.family))
    gap.reason = GapReason::OtherAlgorithm;
  else
    gap.reason = mean > row.timeUs ? GapReason::Slower : GapReason::Faster;
  return gap;
}

ProfileGaps transfer::explainGaps(const Profile &profile,
                                  const Alignment &alignment,
                                  const PredictedRun &run) {
  ProfileGaps gaps;
  gaps.predictedUs = run.report.time.value() * 1e6;
  gaps.clockRatio = findClockRatio(alignment, run);
  double measuredKernels = 0;
  for (size_t i = 0; i < run.kernels.size(); ++i) {
    bool links = run.kernels[i].phase == Phase::Communication;
    KernelGap gap = explainKernel(i, run.kernels[i], alignment.kernels[i],
                                  profile.isTrace, gaps.clockRatio);
    gaps.kernelsUs += links ? 0 : gap.differenceUs;
    gaps.missingUs += links ? 0 : gap.missingUs;
    measuredKernels += links ? 0 : alignment.kernels[i].totalUs;
    if (run.kernels[i].row.count > 0)
      gaps.kernels.push_back(std::move(gap));
  }
  // Collectives overlap with other kernels; their exposed time is in `idleUs`.
  for (const ExtraKernel &extra : alignment.extra)
    if (extra.family != KernelFamily::Collective)
      gaps.extraUs += extra.totalUs;
  llvm::stable_sort(gaps.kernels, [](const KernelGap &a, const KernelGap &b) {
    return std::fabs(a.differenceUs) + a.missingUs >
           std::fabs(b.differenceUs) + b.missingUs;
  });
  double predictedKernels = run.kernelUs();
  gaps.agreement = alignment.agreeing;
  if (profile.isTrace && predictedKernels > 0)
    gaps.agreement =
        std::min(gaps.agreement, 1 - gaps.missingUs / predictedKernels);
  if (!profile.isTrace) {
    // Kernels missing in a table count as predicted.
    gaps.extraUs = 0;
    gaps.measuredUs = gaps.predictedUs + gaps.kernelsUs;
    return gaps;
  }
  gaps.measuredUs = profile.iterationUs;
  double predictedIdle = gaps.predictedUs - run.kernelUs();
  gaps.idleUs = profile.idleUs - predictedIdle;
  gaps.overlapUs =
      measuredKernels + gaps.extraUs - (profile.iterationUs - profile.idleUs);
  // A rounded trace has no overlap.
  if (std::fabs(gaps.overlapUs) < 1e-6 * gaps.measuredUs)
    gaps.overlapUs = 0;
  double gapsAlone = run.report.gap().value() * 1e6;
  gaps.hostBound = profile.idleUs - profile.exposedUs - gapsAlone >
                   hostBoundShare * profile.iterationUs;
  return gaps;
}

bool ProfileGaps::isDoubtful() const { return agreement < leastAgreement; }

/// The first kernel that only a training step launches; "" without one.
static std::string findTrainingKernel(const Profile &profile) {
  static constexpr llvm::StringLiteral words[] = {
      "dgrad", "wgrad", "backward", "_bwd", "bwd_", "bn_bw", "bprop"};
  for (const MeasuredKernel &kernel : profile.kernels)
    if (kernel.family == KernelFamily::Optimizer ||
        llvm::any_of(words, [&](llvm::StringRef word) {
          return llvm::StringRef(kernel.name).contains_insensitive(word);
        }))
      return kernel.name;
  return "";
}

std::vector<std::string> transfer::findDoubts(const Profile &profile,
                                              const ProfileGaps &gaps,
                                              const PredictedRun &run) {
  std::vector<std::string> doubts;
  if (gaps.isDoubtful())
    doubts.push_back(
        "only " + formatPercent(gaps.agreement) +
        " of the time agrees within a factor of 2 with the prediction: the "
        "profile may be that of another model or of other settings; no "
        "intervals");
  bool trains = run.report.settings.trains();
  std::string training = findTrainingKernel(profile);
  if (!trains && !training.empty())
    doubts.push_back("the profile has kernels of a training step ('" +
                     shorten(training, 60) +
                     "'), but an inference is predicted; add --mode=training");
  if (trains && training.empty() && profile.isTrace)
    doubts.push_back("the trace has no kernel of a backward pass or an "
                     "optimizer, but a training step is predicted; leave out "
                     "--mode=training");
  return doubts;
}
