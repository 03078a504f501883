//===- CsvWriter.cpp - One row per distinct kernel ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RFC 4180 with "\n" line ends; the columns are the fields of `kernels` in
// docs/JsonSchema.md. What does not apply is empty.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Report/NumberText.h"
#include "gpucost/Report/Report.h"

using namespace gpucost;

namespace {

/// Cells of one line, separated by commas.
class CsvLine {
public:
  explicit CsvLine(llvm::raw_ostream &os) : os(os) {}
  ~CsvLine() { os << '\n'; }

  void add(llvm::StringRef text) {
    separate();
    printCsvCell(os, text);
  }
  void add(int64_t number) {
    separate();
    os << number;
  }
  void add(double number) {
    separate();
    printNumber(os, number);
  }

private:
  void separate() {
    if (!first)
      os << ',';
    first = false;
  }
  llvm::raw_ostream &os;
  bool first = true;
};

} // namespace

static void writeRow(const KernelRow &row, Seconds busy,
                     llvm::raw_ostream &os) {
  const Tiling &tiling = row.tiling;
  double total = row.time.total.value() * static_cast<double>(row.count);
  CsvLine line(os);
  line.add(row.name);
  line.add(row.op);
  line.add(row.label);
  line.add(stringifyKernelFamily(row.family));
  line.add(stringifyPhase(row.phase));
  line.add(stringifyCoverage(row.coverage));
  line.add(stringifyNumericFormat(row.format));
  line.add(row.shape);
  line.add(row.count);
  line.add(row.flops);
  line.add(row.matrixFlops);
  line.add(row.bytes);
  if (tiling.tile.m > 0) {
    line.add(std::to_string(tiling.tile.m) + "x" +
             std::to_string(tiling.tile.n));
    line.add(static_cast<int64_t>(tiling.splitK));
    line.add(tiling.waves);
  } else {
    for (int i = 0; i < 3; ++i)
      line.add("");
  }
  line.add(row.time.total.value() * 1e6);
  line.add(total * 1e6);
  line.add(busy > Seconds(0) ? total / busy.value() : 0.0);
  line.add(row.power.value());
  line.add(row.energy.value());
  line.add(stringifyBound(row.time.bound));
  line.add(row.origin);
  double us = row.time.total.value() * 1e6;
  if (row.time.halfWidth) {
    line.add(lowEnd(us, *row.time.halfWidth));
    line.add(highEnd(us, *row.time.halfWidth));
  } else {
    line.add("");
    line.add("");
  }
  line.add(row.time.inCalibratedDomain ? "true" : "false");
  if (tiling.tile.m > 0) {
    line.add(tiling.ctas);
    line.add(static_cast<int64_t>(tiling.tile.ctasPerSm));
    line.add(tiling.smUtilization);
  } else {
    for (int i = 0; i < 3; ++i)
      line.add("");
  }
  for (Seconds part :
       {row.time.compute, row.time.l2, row.time.dram, row.time.fixed})
    line.add(part.value() * 1e6);
}

namespace gpucost {

llvm::Error writeCsv(const IterationReport &report, const ReportOptions &,
                     llvm::raw_ostream &os) {
  os << "name,op,label,family,phase,coverage,format,shape,count,flops,"
        "matrix_flops,bytes,tile,split_k,waves,time_us,total_us,time_fraction,"
        "power_w,"
        "energy_j,bound,origin,time_low_us,time_high_us,in_calibrated_domain,"
        "ctas,ctas_per_sm,sm_utilization,compute_us,l2_us,dram_us,fixed_us\n";
  for (const KernelRow &row : report.kernels)
    writeRow(row, report.gpuBusy, os);
  return llvm::Error::success();
}

} // namespace gpucost
