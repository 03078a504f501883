//===- CalibrateInput.cpp - Measurements from a folder --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateInput.h"
#include "CalibrateKernel.h"
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
  llvm::Error readKernels(const MeasurementFile &file);
  llvm::Error readKernelRow(const MeasurementFile &file, size_t row);
  llvm::Error readLoads(const MeasurementFile &file);
  llvm::Error readLoad(const MeasurementFile &file, size_t row);
  llvm::Error readHost(const MeasurementFile &file);
  llvm::Expected<std::optional<Hertz>> readClock(const MeasurementFile &file,
                                                 size_t row, StringRef column);
  unsigned readReasons(const MeasurementFile &file, size_t row);
  void skip(const llvm::Twine &reason) { ++input.skipped[reason.str()]; }
  /// Skips rows that failed.
  bool isUsable(const MeasurementFile &file, size_t row);
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

bool InputReader::isUsable(const MeasurementFile &file, size_t row) {
  StringRef status = file.cell(row, "status");
  if (status != "ok")
    skip("measured without success: status '" + status + "'");
  return status == "ok";
}

llvm::Expected<std::optional<Hertz>>
InputReader::readClock(const MeasurementFile &file, size_t row,
                       StringRef column) {
  llvm::Expected<std::optional<double>> mhz = file.number(row, column);
  if (!mhz)
    return mhz.takeError();
  if (!*mhz)
    return std::nullopt;
  Hertz clock(**mhz * 1e6);
  if (clock > gpu.maxClock * clockTolerance)
    return file.errorAt(
        row, column,
        "expected a clock of at most " +
            llvm::Twine(std::lround(gpu.maxClock.value() * 1e-6)) +
            " MHz, the maximum of '" + gpu.name + "', but got " +
            file.cell(row, column) + " MHz");
  return std::min(clock, gpu.maxClock);
}

unsigned InputReader::readReasons(const MeasurementFile &file, size_t row) {
  unsigned bits = 0;
  file.cell(row, "throttle_reasons").getAsInteger(0, bits);
  reasons |= bits;
  return bits;
}

llvm::Error InputReader::readKernelRow(const MeasurementFile &file,
                                       size_t row) {
  llvm::Expected<double> time = file.requiredNumber(row, "time_us");
  if (!time)
    return time.takeError();
  llvm::Expected<MeasuredKernel> read =
      readMeasuredKernel({file.cell(row, "family"), file.cell(row, "op"),
                          file.cell(row, "dtype"), file.cell(row, "shape"),
                          file.cell(row, "layout"), file.cell(row, "variant")},
                         gpu);
  if (!read)
    return file.errorAt(row, "shape", llvm::toString(read.takeError()));
  if (!read->kernel) {
    skip(read->skipped);
    return llvm::Error::success();
  }
  TimedKernel kernel;
  kernel.work = read->kernel->work;
  kernel.others = std::move(read->others);
  kernel.line = file.rows[row].front().at.line;
  kernel.query = read->kernel->query;
  kernel.query.benchmark = BenchmarkProtocol();
  kernel.time = Seconds(*time * 1e-6);
  kernel.family = read->family;
  kernel.shape =
      (file.cell(row, "family") + " " + file.cell(row, "shape")).str();

  static constexpr llvm::StringLiteral columns[] = {
      "p10_us", "p90_us", "bytes", "buffer_sets", "repeats", "launches"};
  std::array<std::optional<double>, 6> more;
  for (auto [value, column] : llvm::zip_equal(more, columns)) {
    auto number = file.number(row, column);
    if (!number)
      return number.takeError();
    value = *number;
  }
  auto [p10, p90, bytes, sets, repeats, launches] = more;
  if (p10 && p90 && *p90 > *p10)
    kernel.spread = std::log(*p90 / *p10) / percentileWidth;
  spreadRows += p10 && p90 && *p90 > *p10 * quietSpread;
  // Sets of operands take turns: so much is touched between two uses.
  if (bytes && sets)
    kernel.query.reuseBytesA = kernel.query.reuseBytesB = *bytes * *sets;

  auto clock = readClock(file, row, "clock_mhz");
  if (!clock)
    return clock.takeError();
  unsigned bits = readReasons(file, row);
  if (*clock)
    clocks.push_back(**clock / gpu.maxClock);
  // The CUDA-core GEMM is held to the power limit by a roof, not by a clock.
  bool hasPowerRoof = kernel.work.family == KernelFamily::Matmul &&
                      kernel.work.format == NumericFormat::FP32;
  if (!hasPowerRoof || !(bits & powerReason))
    kernel.query.clock = *clock;
  if (!kernel.query.clock) {
    double limit;
    if (!file.fact("power limit W").getAsDouble(limit) && limit > 0)
      kernel.query.powerLimit = Watts(limit);
    if (repeats && launches) {
      kernel.query.benchmark->burst = kernel.time * *repeats * *launches;
      kernel.query.benchmark->warmUp = kernel.time * warmUpCalls * *launches;
    }
  }
  input.measurements.kernels.push_back(std::move(kernel));
  return llvm::Error::success();
}

llvm::Error InputReader::readKernels(const MeasurementFile &file) {
  for (size_t row = 0; row < file.rows.size(); ++row)
    if (isUsable(file, row))
      if (llvm::Error error = readKernelRow(file, row))
        return error;
  return llvm::Error::success();
}

llvm::Error InputReader::readLoad(const MeasurementFile &file, size_t row) {
  auto watts = file.number(row, "power_avg_w");
  if (!watts)
    return watts.takeError();
  auto clock = readClock(file, row, "clock_mean_mhz");
  if (!clock)
    return clock.takeError();
  if (!*watts || !*clock) {
    skip("no power or clock was read: NVML was missing");
    return llvm::Error::success();
  }
  readReasons(file, row);
  MeasuredLoad load;
  load.name = file.cell(row, "name").str();
  load.line = file.rows[row].front().at.line;
  load.power = Watts(**watts);
  load.clock = **clock;
  load.launchedByHost = file.cell(row, "launch") == "eager";
  auto counter = file.number(row, "energy_counter_w");
  if (!counter)
    return counter.takeError();
  if (*counter && std::abs(**counter / **watts - 1) > 0.05)
    input.warnings.push_back(llvm::formatv(
        "load '{0}': the energy counter says {1:f1} W, the power sensor {2:f1} "
        "W; the sensor is taken",
        load.name, **counter, **watts));
  if (file.cell(row, "operands") == "zeros") {
    skip("loads with operands of zeros are a check of the others");
    return llvm::Error::success();
  }
  StringRef kernels = file.cell(row, "kernels");
  if (!kernels.empty()) {
    llvm::Expected<double> rate = file.requiredNumber(row, "iterations_per_s");
    if (!rate)
      return rate.takeError();
    load.iteration = Seconds(1 / *rate);
    auto bytes = file.number(row, "bytes_per_iteration");
    if (!bytes)
      return bytes.takeError();
    auto sets = file.number(row, "buffer_sets");
    if (!sets)
      return sets.takeError();
    for (StringRef words : llvm::split(kernels, ';')) {
      auto read = readMeasuredKernel(words, file.cell(row, "dtype"), gpu);
      if (!read)
        return file.errorAt(row, "kernels", llvm::toString(read.takeError()));
      if (!read->kernel) {
        skip("load: " + read->skipped);
        return llvm::Error::success();
      }
      KernelQuery query = read->kernel->query;
      if (*bytes && *sets)
        query.reuseBytesA = query.reuseBytesB = **bytes * **sets;
      load.kernels.push_back({read->kernel->work, query});
    }
  }
  input.measurements.loads.push_back(std::move(load));
  return llvm::Error::success();
}

llvm::Error InputReader::readLoads(const MeasurementFile &file) {
  for (size_t row = 0; row < file.rows.size(); ++row)
    if (isUsable(file, row))
      if (llvm::Error error = readLoad(file, row))
        return error;
  return llvm::Error::success();
}

llvm::Error InputReader::readHost(const MeasurementFile &file) {
  for (size_t row = 0; row < file.rows.size(); ++row) {
    if (!isUsable(file, row))
      continue;
    if (file.cell(row, "name") != "add") {
      skip("host costs other than that of a plain launch");
      continue;
    }
    llvm::Expected<double> time = file.requiredNumber(row, "time_us");
    if (!time)
      return time.takeError();
    input.measurements.hostLaunch = Seconds(*time * 1e-6);
  }
  return llvm::Error::success();
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
  using Read = llvm::Error (InputReader::*)(const MeasurementFile &);
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
      {"kernels.csv", kernelColumns, &InputReader::readKernels},
      {"kernels-from-model.csv", kernelColumns, &InputReader::readKernels},
      {"power.csv", powerColumns, &InputReader::readLoads},
      {"host.csv", hostColumns, &InputReader::readHost},
  };
  for (const Suite &suite : suites) {
    auto file = open(suite.name, suite.columns);
    if (!file)
      return file.takeError();
    if (*file)
      if (llvm::Error error = (this->*suite.read)(**file))
        return error;
  }
  if (device.empty())
    return llvm::createStringError(
        "'" + folder +
        "' holds no measurements: expected kernels.csv, power.csv or host.csv, "
        "which measure.py writes");
  warnOfBoard();
  return llvm::Error::success();
}

llvm::Expected<CalibrationInput> calibration::readMeasurements(StringRef folder,
                                                               const Gpu &gpu) {
  InputReader reader(folder, gpu);
  if (llvm::Error error = reader.readAll())
    return std::move(error);
  return std::move(reader.input);
}
