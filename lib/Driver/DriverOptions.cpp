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
      entry("entry", cl::value_desc("function"), cl::init(""),
            cl::desc("the function that is one iteration, of an .mlir file "
                     "with several (default: main or forward)"),
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
      trip("trip", cl::value_desc("name:n"),
           cl::desc("iterations of the loop of this name; may be given several "
                    "times; *:n for all loops of unknown count"),
           cl::cat(inputs)),
      batch(
          "batch", cl::value_desc("n"), cl::init(0),
          cl::desc("value of the batch dimension (batch, batch_size, N, ...)"),
          cl::cat(inputs)),
      seq("seq", cl::value_desc("n"), cl::init(0),
          cl::desc(
              "value of the sequence dimension (seq, sequence, seq_len, ...)"),
          cl::cat(inputs)),
      precisionMode(
          "precision-mode", cl::value_desc("pure|amp|as-is"), cl::init(""),
          cl::desc("pure: cast the model to the target's format (default of "
                   "inference); amp: PyTorch's autocast on fp32 parameters "
                   "(default of training in fp16 and bf16); as-is: keep the "
                   "file's types"),
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
          "attention", cl::value_desc("as-is|eager|flash|flash1"),
          cl::init("as-is"),
          cl::desc("attention as the file has it, as separate kernels, or "
                   "as one fused kernel, the current one or FlashAttention 1 "
                   "(default: as-is)"),
          cl::cat(execution)),
      mode("mode", cl::value_desc("inference|training"), cl::init("inference"),
           cl::desc("what an iteration is (default: inference)"),
           cl::cat(execution)),
      channelsLast("channels-last",
                   cl::desc("convolutions run on channels-last tensors"),
                   cl::cat(execution)),
      loss("loss", cl::value_desc("auto|cross-entropy|mse|none"),
           cl::init("auto"),
           cl::desc("auto: cross-entropy on the output called logits, or the "
                    "only one; none: gradients arrive at the outputs"),
           cl::cat(training)),
      optimizer("optimizer",
                cl::value_desc("none|sgd|sgd-momentum|adam|adamw|..."),
                cl::init("adamw"),
                cl::desc("none, sgd, sgd-momentum, adam, adamw, adadelta, "
                         "rmsprop or lamb (default: adamw)"),
                cl::cat(training)),
      optimizerVariant(
          "optimizer-variant", cl::value_desc("foreach|fused|unfused"),
          cl::init("foreach"),
          cl::desc("kernels over all tensors, one fused kernel, or one kernel "
                   "for each tensor (default: foreach, as in PyTorch)"),
          cl::cat(training)),
      zeroGrad("zero-grad", cl::value_desc("set-to-none|zero|keep"),
               cl::init("set-to-none"),
               cl::desc("what happens to the gradients of the step before "
                        "(default: set-to-none; keep: they add up)"),
               cl::cat(training)),
      dropout("dropout", cl::value_desc("as-is|off"), cl::init("as-is"),
              cl::desc("dropout of the file in training (default: as-is)"),
              cl::cat(training)),
      recompute("recompute", cl::value_desc("none|full|attention"),
                cl::init("none"),
                cl::desc("activations computed again in the backward pass: of "
                         "every block, or of attention scores"),
                cl::cat(training)),
      parallel("parallel", cl::value_desc("ddp|fsdp|tp"), cl::init("ddp"),
               cl::desc("how several GPUs share the step: copies of the model, "
                        "sharded parameters, or divided blocks (default: ddp)"),
               cl::cat(training)),
      gradAccum("grad-accum", cl::value_desc("n"), cl::init(1),
                cl::desc("forward and backward passes per optimizer step"),
                cl::cat(training)),
      gpus("gpus", cl::value_desc("n"), cl::init(1),
           cl::desc("GPUs of one node; --batch is that of each of them (of all "
                    "with tp)"),
           cl::cat(training)),
      clipGradNorm("clip-grad-norm",
                   cl::desc("clip the gradients by their norm"),
                   cl::cat(training)),
      maxBatch("max-batch",
               cl::desc("find the largest batch that fits into the memory"),
               cl::cat(training)),
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
      dumpCoefficients("dump-coefficients",
                       cl::desc("print every coefficient of the model as JSON: "
                                "symbol, range, calibration"),
                       cl::cat(device), cl::Hidden),
      strict("strict",
             cl::desc("exit with 3 unless every op is fully modelled"),
             cl::cat(output)),
      explain(
          "explain",
          cl::desc("say on standard error which patterns of the file run as "
                   "one kernel, and why others do not"),
          cl::cat(output)) {}

void DriverOptions::fill(AnalyzeOptions &options) const {
  options.target = target.getValue();
  options.targetFile = targetFile.getValue();
  options.coefficients = coefficients.getValue();
  std::string pairs;
  for (const std::string &pair : bind)
    pairs += (pairs.empty() ? "" : ",") + pair;
  options.bind = pairs;
  options.entry = entry.getValue();
  std::string trips;
  for (const std::string &pair : trip)
    trips += (trips.empty() ? "" : ",") + pair;
  options.trip = trips;
  options.batch = batch.getValue();
  options.seq = seq.getValue();
  options.precisionMode = precisionMode.getValue();
  options.mode = mode.getValue();
  options.loss = loss.getValue();
  options.optimizer = optimizer.getValue();
  options.optimizerVariant = optimizerVariant.getValue();
  options.zeroGrad = zeroGrad.getValue();
  options.gradAccum = gradAccum.getValue();
  options.dropout = dropout.getValue();
  options.clipGradNorm = clipGradNorm.getValue();
  options.recompute = recompute.getValue();
  options.gpus = gpus.getValue();
  options.parallel = parallel.getValue();
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
               "as-is, eager, flash or flash1"},
        Choice{precisionMode,
               precisionMode.empty() ||
                   symbolizePrecisionMode(precisionMode).has_value(),
               "pure, amp or as-is"},
        Choice{tf32, tf32.empty() || symbolizeTf32Mode(tf32).has_value(),
               "off, conv or on"},
        Choice{mode, symbolizeIterationMode(mode).has_value(),
               "inference or training"},
        Choice{loss, symbolizeLossKind(loss).has_value(),
               "auto, cross-entropy, mse or none"},
        Choice{optimizer, symbolizeOptimizerKind(optimizer).has_value(),
               "none, sgd, sgd-momentum, adam, adamw, adadelta, rmsprop or "
               "lamb"},
        Choice{optimizerVariant,
               symbolizeOptimizerVariant(optimizerVariant).has_value(),
               "foreach, fused or unfused"},
        Choice{zeroGrad, symbolizeZeroGradMode(zeroGrad).has_value(),
               "set-to-none, zero or keep"},
        Choice{dropout, symbolizeDropoutMode(dropout).has_value(),
               "as-is or off"},
        Choice{recompute, symbolizeRecomputeMode(recompute).has_value(),
               "none, full or attention"},
        Choice{parallel, symbolizeParallelism(parallel).has_value(),
               "ddp, fsdp or tp"},
        Choice{report, report == "table" || report == "json" || report == "csv",
               "table, json or csv"}})
    if (!choice.known)
      return "unknown value '" + choice.flag.getValue() + "' of --" +
             choice.flag.ArgStr.str() + ", expected " + choice.expected;
  if ((batch.getNumOccurrences() && batch <= 0) ||
      (seq.getNumOccurrences() && seq <= 0))
    return "--batch and --seq expect a number of at least 1";
  if (gradAccum < 1 || gradAccum > 1'000'000 || gpus < 1 || gpus > 1024)
    return "--grad-accum expects 1 to 1000000 and --gpus 1 to 1024";
  bool trains = mode == stringifyIterationMode(IterationMode::Training);
  for (const cl::Option *flag :
       {static_cast<const cl::Option *>(&loss),
        static_cast<const cl::Option *>(&optimizer),
        static_cast<const cl::Option *>(&optimizerVariant),
        static_cast<const cl::Option *>(&zeroGrad),
        static_cast<const cl::Option *>(&dropout),
        static_cast<const cl::Option *>(&recompute),
        static_cast<const cl::Option *>(&gradAccum),
        static_cast<const cl::Option *>(&clipGradNorm)})
    if (flag->getNumOccurrences() && !trains)
      return "--" + flag->ArgStr.str() + " needs --mode=training";
  if (gpus > 1 && !trains && parallel != stringifyParallelism(Parallelism::TP))
    return "--gpus without --mode=training needs --parallel=tp";
  if (maxBatch && batch.getNumOccurrences())
    return "--max-batch looks for the batch; leave out --batch";
  if (parallel.getNumOccurrences() && gpus < 2)
    return "--parallel needs --gpus=2 or more";
  if ((!kernels.empty() || !kernel.empty()) && (trains || maxBatch || gpus > 1))
    return "a kernel query has no --mode=training, --max-batch or --gpus";
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
