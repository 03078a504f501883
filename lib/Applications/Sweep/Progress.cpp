//===- Progress.cpp - How far a sweep is ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Progress.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::sweep;

Progress::Progress(const Space &space, int64_t points, llvm::raw_ostream &os)
    : space(space), os(os), shown(os.is_displayed()), points(points) {}

void Progress::add(llvm::ArrayRef<PointResult> results) {
  done += static_cast<int64_t>(results.size());
  if (!shown)
    return;
  for (const PointResult &result : results) {
    double count = result.samples > 0 ? static_cast<double>(result.samples) : 1;
    double speed = count / result.time.value();
    if (!result.isFeasible() || !(speed > bestSpeed) || std::isinf(speed))
      continue;
    bestSpeed = speed;
    best = siText(result.time);
    std::vector<size_t> values = space.valuesOf(result.point);
    for (auto [axis, index] : llvm::zip(space.axes(), values))
      best += " " + axis.flag + "=" + axis.texts[index];
  }
  if (Clock::now() - last >= std::chrono::milliseconds(200) || done == points)
    print();
}

void Progress::print() {
  last = Clock::now();
  double seconds = std::chrono::duration<double>(last - begin).count();
  double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string line = std::to_string(done) + "/" + std::to_string(points) +
                     " points, " + formatSignificant(rate) + " points/s";
  if (rate > 0)
    line +=
        ", " + siText(static_cast<double>(points - done) / rate, "s") + " left";
  if (!best.empty())
    line += "; best " + best;
  line = shorten(printable(line), 100);
  size_t columns = textWidth(line);
  // Overwrite the rest of a longer previous line with blanks.
  os << '\r' << line << std::string(width > columns ? width - columns : 0, ' ');
  os.flush();
  width = columns;
}

void Progress::finish() {
  if (!shown || width == 0)
    return;
  print();
  os << '\n';
}
