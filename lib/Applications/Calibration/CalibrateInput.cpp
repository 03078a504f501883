//===- CalibrateInput.cpp - Measurements from a folder --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateInput.h"
#include "CalibrateKernel.h"
#include "CollectiveTests.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;
using llvm::StringRef;

/// NVML's reasons for a lower clock: the power limit, and heat or a fault.
static constexpr unsigned powerReason = 0x4,
                          faultReasons = 0x8 | 0x20 | 0x40 | 0x80;
/// Boards round their clocks; beyond this the target's maximum is wrong.
static constexpr double clockTolerance = 1.03;
/// Ratio of the 90th to the 10th percentile that a quiet GPU stays below.
static constexpr double quietSpread = 1.25;
/// 10th to 90th percentile of a normal distribution, in deviations.
static constexpr double percentileWidth = 2.563;
/// Calls before the timed ones: two, of all launches.
static constexpr double warmUpCalls = 2;

namespace {

class InputReader {
public:
  InputReader(StringRef folder, const Gpu &gpu) : folder(folder), gpu(gpu) {}

  llvm::Error readAll();

  CalibrationInput input;

private:
  /// Null when the folder has no such file.
  llvm::Expected<std::unique_ptr<MeasurementFile>>
  open(StringRef name, llvm::ArrayRef<llvm::StringLiteral> required);
  void readKernel(MeasurementRow &row);
  void readLoad(MeasurementRow &row);
  void readHost(MeasurementRow &row);
  std::optional<Hertz> readClock(MeasurementRow &row, StringRef column);
  unsigned readReasons(const MeasurementRow &row);
  void skip(const llvm::Twine &reason) { ++input.skipped[reason.str()]; }
  void warnOfBoard();

  StringRef folder;
  const Gpu &gpu;
  std::string device; ///< of the first file
  std::string deviceFile;
  std::vector<double>
      clocks; ///< of the timed kernels, fractions of the maximum
  size_t spreadRows = 0;
  unsigned reasons = 0;
};

} // namespace

llvm::Expected<std::unique_ptr<MeasurementFile>>
InputReader::open(StringRef name,
                  llvm::ArrayRef<llvm::StringLiteral> required) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  if (!llvm::sys::fs::exists(path))
    return nullptr;
  llvm::Expected<MeasurementFile> file = readMeasurementFile(path, required);
  if (!file)
    return file.takeError();
  if (llvm::Error error = checkDevice(*file, gpu))
    return std::move(error);
  StringRef gpuName = file->fact("gpu");
  if (device.empty()) {
    device = gpuName.str();
    deviceFile = file->path;
    input.provenance = device;
    for (auto [key, title] : {std::pair("driver", "driver"),
                              {"cuda", "CUDA"},
                              {"pytorch", "PyTorch"},
                              {"date", "measured"}})
      if (!file->fact(key).empty())
        input.provenance +=
            (llvm::Twine(", ") + title + " " + file->fact(key)).str();
  } else if (device != gpuName) {
    return llvm::createStringError(
        "expected measurements of one GPU, but '" + deviceFile + "' is of '" +
        device + "' and '" + file->path + "' of '" + gpuName + "'");
  }
  input.rows += file->rows.size();
  return std::make_unique<MeasurementFile>(std::move(*file));
}

std::optional<Hertz> InputReader::readClock(MeasurementRow &row,
                                            StringRef column) {
  std::optional<double> mhz = row.number(column);
  if (!mhz)
    return std::nullopt;
  Hertz clock(*mhz * 1e6);
  if (clock > gpu.maxClock * clockTolerance)
    row.fail(column, "expected a clock of at most " +
                         llvm::Twine(std::lround(gpu.maxClock.value() * 1e-6)) +
                         " MHz, the maximum of '" + gpu.name + "', but got " +
                         row.cell(column) + " MHz");
  return std::min(clock, gpu.maxClock);
}

unsigned InputReader::readReasons(const MeasurementRow &row) {
  unsigned bits = 0;
  row.cell("throttle_reasons").getAsInteger(0, bits);
  reasons |= bits;
  return bits;
}

void InputReader::readKernel(MeasurementRow &row) {
  Seconds time(row.requiredNumber("time_us") * 1e-6);
  if (row.failed())
    return;
  llvm::Expected<MeasuredKernel> read = readMeasuredKernel(
      {row.cell("family"), row.cell("op"), row.cell("dtype"), row.cell("shape"),
       row.cell("layout"), row.cell("variant")},
      gpu);
  if (!read)
    return row.fail("shape", llvm::toString(read.takeError()));
  if (!read->kernel)
    return skip(read->skipped);
  TimedKernel kernel;
  kernel.work = read->kernel->work;
  kernel.others = std::move(read->others);
  kernel.line = row.line();
  kernel.query = read->kernel->query;
  kernel.query.benchmark = BenchmarkProtocol();
  kernel.time = time;
  kernel.family = read->family;
  kernel.shape = (row.cell("family") + " " + row.cell("shape")).str();
  auto p10 = row.number("p10_us"), p90 = row.number("p90_us"),
       bytes = row.number("bytes"), sets = row.number("buffer_sets"),
       repeats = row.number("repeats"), launches = row.number("launches");
  if (p10 && p90 && *p90 > *p10)
    kernel.spread = std::log(*p90 / *p10) / percentileWidth;
  spreadRows += p10 && p90 && *p90 > *p10 * quietSpread;
  // Sets of operands take turns: this many bytes are touched between two uses.
  if (bytes && sets)
    kernel.query.reuseBytesA = kernel.query.reuseBytesB = *bytes * *sets;
  std::optional<Hertz> clock = readClock(row, "clock_mhz");
  unsigned bits = readReasons(row);
  if (clock)
    clocks.push_back(*clock / gpu.maxClock);
  // The CUDA-core GEMM is held to the power limit by a roof, not by a clock.
  bool hasPowerRoof = kernel.work.family == KernelFamily::Matmul &&
                      kernel.work.format == NumericFormat::FP32;
  if (!hasPowerRoof || !(bits & powerReason))
    kernel.query.clock = clock;
  if (!kernel.query.clock) {
    double limit;
    if (!row.owner().fact("power limit W").getAsDouble(limit) && limit > 0)
      kernel.query.powerLimit = Watts(limit);
    if (repeats && launches) {
      kernel.query.benchmark->burst = kernel.time * *repeats * *launches;
      kernel.query.benchmark->warmUp = kernel.time * warmUpCalls * *launches;
    }
  }
  input.measurements.kernels.push_back(std::move(kernel));
}

void InputReader::readLoad(MeasurementRow &row) {
  std::optional<double> watts = row.number("power_avg_w");
  std::optional<Hertz> clock = readClock(row, "clock_mean_mhz");
  if (row.failed())
    return;
  if (!watts || !clock)
    return skip("no power or clock was read: NVML was missing");
  readReasons(row);
  MeasuredLoad load;
  load.name = row.cell("name").str();
  load.line = row.line();
  load.power = Watts(*watts);
  load.clock = *clock;
  load.launchedByHost = row.cell("launch") == "eager";
  if (auto counter = row.number("energy_counter_w");
      counter && std::abs(*counter / *watts - 1) > 0.05)
    input.warnings.push_back(llvm::formatv(
        "load '{0}': the energy counter reads {1:f1} W, the power sensor "
        "{2:f1} W; the sensor is used",
        load.name, *counter, *watts));
  if (row.cell("operands") != "random" && !row.cell("operands").empty())
    return skip("loads with zeros in operands only check the others");
  if (row.number("duty").value_or(1) < 1)
    return skip("loads with pauses only check the others");
  if (StringRef kernels = row.cell("kernels"); !kernels.empty()) {
    load.iteration = Seconds(1 / row.requiredNumber("iterations_per_s"));
    auto bytes = row.number("bytes_per_iteration"),
         sets = row.number("buffer_sets");
    for (StringRef words : llvm::split(kernels, ';')) {
      auto read = readMeasuredKernel(words, row.cell("dtype"), gpu);
      if (!read)
        return row.fail("kernels", llvm::toString(read.takeError()));
      if (!read->kernel)
        return skip("load: " + read->skipped);
      KernelQuery query = read->kernel->query;
      if (bytes && sets)
        query.reuseBytesA = query.reuseBytesB = *bytes * *sets;
      load.kernels.push_back({read->kernel->work, query});
    }
  }
  input.measurements.loads.push_back(std::move(load));
}

void InputReader::readHost(MeasurementRow &row) {
  if (row.cell("name") != "add")
    return skip("only the host cost of a plain launch is used");
  input.measurements.hostLaunch = Seconds(row.requiredNumber("time_us") * 1e-6);
}

void InputReader::warnOfBoard() {
  if (!clocks.empty()) {
    auto middle = clocks.begin() + clocks.size() / 2;
    std::nth_element(clocks.begin(), middle, clocks.end());
    if (*middle < 0.9)
      input.warnings.push_back(llvm::formatv(
          "the SM clock was {0:f0} MHz in the median, {1:f0} % of the maximum: "
          "a locked clock, the power limit or heat; times are fitted at the "
          "clocks that were read",
          *middle * gpu.maxClock.value() * 1e-6, *middle * 100));
  }
  if (reasons & faultReasons)
    input.warnings.push_back(
        "the GPU was slowed down by heat or its power supply (throttle "
        "reasons 0x" +
        llvm::utohexstr(reasons, /*LowerCase=*/true) + ")");
  size_t kernels = input.measurements.kernels.size();
  if (spreadRows * 5 > kernels && spreadRows > 2)
    input.warnings.push_back(
        std::to_string(spreadRows) + " of " + std::to_string(kernels) +
        " kernels spread by more than 25 %: something else ran on the GPU");
}

llvm::Error InputReader::readAll() {
  if (!llvm::sys::fs::is_directory(folder))
    return llvm::createStringError(
        "expected a folder of measurements, but '" + folder +
        (llvm::sys::fs::exists(folder) ? "' is none" : "' does not exist"));
  using Read = void (InputReader::*)(MeasurementRow &);
  static constexpr llvm::StringLiteral kernelColumns[] = {
      "family", "op", "dtype", "shape", "status", "time_us"};
  static constexpr llvm::StringLiteral powerColumns[] = {
      "name",        "dtype",          "kernels",         "status",
      "power_avg_w", "clock_mean_mhz", "iterations_per_s"};
  static constexpr llvm::StringLiteral hostColumns[] = {"name", "status",
                                                        "time_us"};
  struct Suite {
    StringRef name;
    llvm::ArrayRef<llvm::StringLiteral> columns;
    Read read;
  } suites[] = {
      {"kernels.csv", kernelColumns, &InputReader::readKernel},
      {"kernels-from-model.csv", kernelColumns, &InputReader::readKernel},
      {"power.csv", powerColumns, &InputReader::readLoad},
      {"host.csv", hostColumns, &InputReader::readHost},
  };
  for (const Suite &suite : suites) {
    auto file = open(suite.name, suite.columns);
    if (!file)
      return file.takeError();
    for (size_t i = 0; *file && i < (*file)->rows.size(); ++i) {
      MeasurementRow row(**file, i);
      if (StringRef status = row.cell("status"); status == "ok")
        (this->*suite.read)(row);
      else
        skip("measured without success: status '" + status + "'");
      if (row.failed())
        return row.takeError();
    }
  }
  if (device.empty())
    return llvm::createStringError(
        "'" + folder +
        "' holds no measurements: expected kernels.csv, power.csv or host.csv, "
        "which measure.py writes");
  warnOfBoard();
  return llvm::Error::success();
}

llvm::Expected<CalibrationInput>
calibration::readMeasurements(const CalibrateRequest &request, const Gpu &gpu) {
  InputReader reader(request.measurements, gpu);
  if (!request.measurements.empty())
    if (llvm::Error error = reader.readAll())
      return std::move(error);
  CalibrationInput input = std::move(reader.input);
  for (const std::string &path : request.collectives)
    if (llvm::Error error = readCollectiveTests(path, gpu, input))
      return std::move(error);
  if (input.provenance.empty())
    input.provenance =
        input.devices.empty() ? gpu.name : llvm::join(input.devices, ", ");
  return input;
}
