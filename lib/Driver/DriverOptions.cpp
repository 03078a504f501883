//===- DriverOptions.cpp - Command line of the tool ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverOptions.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostEnums.h"
#include <cmath>

using namespace gpucost;
namespace cl = llvm::cl;

DriverOptions::DriverOptions()
    : input(cl::Positional, cl::desc("<model.onnx | model.mlir>"),
            cl::cat(inputs)),
      target(
          "target", cl::value_desc("gpu[-format]"),
          cl::desc("GPU and number format: a100-bf16, h100-sxm-80gb, l4-fp16 "
                   "(--list-targets shows all)"),
          cl::cat(device)),
      targetFile(
          "target-file", cl::value_desc("file.mlir"),
          cl::desc("GPU described in a file of your own; --target may add "
                   "the format"),
          cl::cat(device)),
      coefficients(
          "coefficients", cl::value_desc("file.mlir"),
          cl::desc("fitted coefficients to use instead of the target's"),
          cl::cat(device)),
      bind("bind", cl::value_desc("name:value,..."), cl::CommaSeparated,
           cl::desc("values of symbolic dimensions; *:N for all others"),
           cl::cat(inputs)),
      batch(
          "batch", cl::value_desc("n"), cl::init(0),
          cl::desc("value of the batch dimension (batch, batch_size, N, ...)"),
          cl::cat(inputs)),
      seq("seq", cl::value_desc("n"), cl::init(0),
          cl::desc(
              "value of the sequence dimension (seq, sequence, seq_len, ...)"),
          cl::cat(inputs)),
      precisionMode("precision-mode", cl::value_desc("pure|as-is"),
                    cl::init("pure"),
                    cl::desc("pure: cast the model to the target's format "
                             "(default); as-is: keep the file's types"),
                    cl::cat(execution)),
      tf32("tf32", cl::value_desc("off|conv|on"), cl::init(""),
           cl::desc(
               "which fp32 kernels use TF32 tensor cores; conv is PyTorch's "
               "default on Ampere (default: on for a tf32 target, else off)"),
           cl::cat(execution)),
      runtime("runtime", cl::value_desc("eager|cudagraph|compiled"),
              cl::init("eager"),
              cl::desc("how the framework launches kernels (default: eager)"),
              cl::cat(execution)),
      attention(
          "attention", cl::value_desc("as-is|eager|flash"), cl::init("as-is"),
          cl::desc("attention as the file has it, as separate kernels, or "
                   "as one fused kernel (default: as-is)"),
          cl::cat(execution)),
      mode("mode", cl::value_desc("inference"), cl::init("inference"),
           cl::desc("what an iteration is (default: inference)"),
           cl::cat(execution)),
      channelsLast("channels-last",
                   cl::desc("convolutions run on channels-last tensors"),
                   cl::cat(execution)),
      clock("clock", cl::value_desc("MHz"), cl::init(0.0),
            cl::desc("lock the SM clock (default: the GPU's maximum)"),
            cl::cat(device)),
      powerLimit("power-limit", cl::value_desc("W"), cl::init(0.0),
                 cl::desc("board power limit (default: the GPU's)"),
                 cl::cat(device)),
      hostLaunchUs(
          "host-launch-us", cl::value_desc("us"), cl::init(-1.0),
          cl::desc("host time of one kernel launch (default: that of a "
                   "current server)"),
          cl::cat(execution)),
      report("report", cl::value_desc("table|json|csv"), cl::init("table"),
             cl::desc("format of the report (default: table)"),
             cl::cat(output)),
      outputFile("o", cl::value_desc("file"), cl::init("-"),
                 cl::desc("write to a file instead of standard output"),
                 cl::cat(output)),
      kernels("kernels", cl::value_desc("file.csv"),
              cl::desc("predict one kernel per row of a CSV file"),
              cl::cat(inputs)),
      kernel("kernel", cl::value_desc("'matmul m=4096 n=4096 k=4096'"),
             cl::desc("predict a single kernel"), cl::cat(inputs)),
      checkTarget("check-target", cl::value_desc("file.mlir"),
                  cl::desc("check a target or coefficients file and exit"),
                  cl::cat(device)),
      emit(
          "emit", cl::init(Emit::Report), cl::desc("what to print:"),
          cl::values(clEnumValN(Emit::Report, "report", "the report (default)"),
                     clEnumValN(Emit::IR, "ir", "the annotated module"),
                     clEnumValN(Emit::Shapes, "shapes",
                                "JSON: ONNX value name -> type and shape"),
                     clEnumValN(Emit::Import, "import",
                                "the module as imported, before any pass")),
          cl::cat(output)),
      top("top", cl::value_desc("n"), cl::init(10),
          cl::desc("kernels in the table (default: 10)"), cl::cat(output)),
      listTargets("list-targets", cl::desc("list the built-in GPUs and exit"),
                  cl::cat(device)),
      strict("strict",
             cl::desc("exit with 3 unless every op is fully modelled"),
             cl::cat(output)) {}

void DriverOptions::fill(AnalyzeOptions &options) const {
  options.target = target.getValue();
  options.targetFile = targetFile.getValue();
  options.coefficients = coefficients.getValue();
  std::string pairs;
  for (const std::string &pair : bind)
    pairs += (pairs.empty() ? "" : ",") + pair;
  options.bind = pairs;
  options.batch = batch.getValue();
  options.seq = seq.getValue();
  options.precisionMode = precisionMode.getValue();
  options.tf32 = tf32.getValue();
  options.runtime = runtime.getValue();
  options.attention = attention.getValue();
  options.channelsLast = channelsLast.getValue();
  options.clock = clock.getValue();
  options.powerLimit = powerLimit.getValue();
  options.hostLaunchUs = hostLaunchUs.getValue();
}

std::string DriverOptions::findMisuse() const {
  struct Choice {
    const cl::opt<std::string> &flag;
    bool known;
    const char *expected;
  };
  for (const Choice &choice :
       {Choice{runtime, symbolizeRuntime(runtime).has_value(),
               "eager, cudagraph or compiled"},
        Choice{attention, symbolizeAttentionMode(attention).has_value(),
               "as-is, eager or flash"},
        Choice{precisionMode, symbolizePrecisionMode(precisionMode).has_value(),
               "pure or as-is"},
        Choice{tf32, tf32.empty() || symbolizeTf32Mode(tf32).has_value(),
               "off, conv or on"},
        Choice{mode, mode == "inference", "inference"},
        Choice{report, report == "table" || report == "json" || report == "csv",
               "table, json or csv"}})
    if (!choice.known)
      return "unknown value '" + choice.flag.getValue() + "' of --" +
             choice.flag.ArgStr.str() + ", expected " + choice.expected;
  if ((batch.getNumOccurrences() && batch <= 0) ||
      (seq.getNumOccurrences() && seq <= 0))
    return "--batch and --seq expect a number of at least 1";
  auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (clock.getNumOccurrences() && !positive(clock))
    return "--clock expects MHz above 0";
  if (powerLimit.getNumOccurrences() && !positive(powerLimit))
    return "--power-limit expects W above 0";
  if (hostLaunchUs.getNumOccurrences() && hostLaunchUs != 0 &&
      !positive(hostLaunchUs))
    return "--host-launch-us expects at least 0";
  if (!kernels.empty() && !kernel.empty())
    return "--kernels and --kernel cannot be combined";
  if ((!kernels.empty() || !kernel.empty()) && !input.empty())
    return "a kernel query takes no model, but got '" + input.getValue() + "'";
  return "";
}
