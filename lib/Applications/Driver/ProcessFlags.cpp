//===- ProcessFlags.cpp - The flags of a process --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProcessFlags.h"
#include "CommandLine.h"
#include "Output.h"
#include "Subcommands.h"
#include "gpucost/Compiler/CostAnalysis/Passes.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace gpucost;
namespace cl = llvm::cl;

/// Registers passes and MLIR's flags, which DriverOptions does not. MLIR's
/// flags cannot be registered if flags with the same names exist.
static DialectRegistry registerAll() {
  DialectRegistry registry;
  registerDialects(registry);
  registerGpuCostPasses();
  registerGpuCostAnnotationPasses();
  registerPipelines();
  registerTransformsPasses();
  MlirOptMainConfig::registerCLOptions(registry);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  // A plugin links the shared MLIR, but this program contains a private copy:
  // one process must not load both. LLVM's --color does not accept names, and
  // its --help and --version exit the process.
  for (llvm::StringRef name :
       {"load-dialect-plugin", "load-pass-plugin", "color", "help", "help-list",
        "help-hidden", "help-list-hidden", "version"})
    if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
      option->removeArgument();
  return registry;
}

ProcessFlags::ProcessFlags() : registry(registerAll()) {
  // --help shows our flags; flags from MLIR and passes are in --help-hidden.
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (llvm::none_of(option->Categories, [&](cl::OptionCategory *category) {
          return options.hasCategory(category);
        }))
      option->setHiddenFlag(cl::Hidden);
}

ProcessFlags &ProcessFlags::reset() {
  static ProcessFlags *flags = nullptr;
  if (flags)
    cl::ResetAllOptionOccurrences();
  else
    flags = new ProcessFlags(); // LLVM's list of flags outlives all others
  return *flags;
}

/// Examples, then one line for each subcommand. LLVM keeps the pointer.
static const std::string &overview() {
  static const std::string text = [] {
    std::string lines =
        "gpu-cost-opt: time, power and energy of a model's iteration on a "
        "GPU,\n"
        "from the model file only.\n\n"
        "  gpu-cost-opt bert.onnx --target=a100-bf16 --batch=16 --seq=128\n"
        "  gpu-cost-opt Llama-3.1-8B/config.json --target=h100-bf16 --batch=8 "
        "--seq=2048\n"
        "  gpu-cost-opt --kernel='matmul m=4096 n=4096 k=4096' "
        "--target=h100-bf16\n"
        "  gpu-cost-opt model.mlir --gpucost-form-kernels "
        "--gpucost-annotate-work\n";
    for (const Subcommand &command : subcommands())
      lines += "  gpu-cost-opt " + command.name.str() +
               " --help: " + command.help.str() + "\n";
    return lines;
  }();
  return text;
}

bool ProcessFlags::parse(llvm::ArrayRef<char *> arguments) {
  if (std::string mistake = findMistake(arguments.drop_front(), options);
      !mistake.empty()) {
    reportError(mistake);
    return false;
  }
  // Errors end the process unless they have a stream to go to.
  return cl::ParseCommandLineOptions(static_cast<int>(arguments.size()),
                                     arguments.data(), overview().c_str(),
                                     &llvm::errs());
}

void ProcessFlags::printHelp() const {
  cl::PrintHelpMessage(options.helpHidden, /*Categorized=*/true);
}
