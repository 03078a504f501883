//===- PrivateLowering.cpp - Kernels of a private copy --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrivateLowering.h"
#include "LeastSizes.h"
#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/CountWork.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "gpucost/Compiler/Transforms/Structure/ForeignFunctions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Threading.h"
#include <functional>

using namespace mlir;
using namespace gpucost;

/// Maximum number of ops copied with a loop: positions, empty tensors, views.
static constexpr unsigned maxCopiedAlong = 256;

/// "File" in locations that refer to the original ops.
static constexpr llvm::StringLiteral sourceFile = "gpucost-source";

/// Sets locations of `copy` and nested ops to their index in `sources`, and
/// appends `original` and its nested ops to `sources`. Location names remain,
/// because loops are named after them.
static void tag(Operation *original, Operation *copy,
                SmallVectorImpl<Operation *> &sources) {
  MLIRContext *context = original->getContext();
  auto file = StringAttr::get(context, sourceFile);
  size_t first = sources.size(), next = first;
  original->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { sources.push_back(op); });
  copy->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Location own = op->getLoc();
    Location tag = FileLineColLoc::get(file, static_cast<unsigned>(++next), 0);
    op->setLoc(isa<NameLoc, FusedLoc>(own) ? FusedLoc::get(context, {tag, own})
                                           : tag);
  });
  assert(next == sources.size() && "a copy has as many ops");
}

/// Calls `use` with the ops in `sources` that `location` refers to, until it
/// returns false. Attributes have a generic walk, which is slow.
static bool forEachSource(Location location, ArrayRef<Operation *> sources,
                          llvm::function_ref<bool(Operation *)> use) {
  if (auto at = dyn_cast<FileLineColLoc>(location))
    return at.getFilename() != sourceFile || at.getLine() == 0 ||
           at.getLine() > sources.size() || use(sources[at.getLine() - 1]);
  if (auto fused = dyn_cast<FusedLoc>(location))
    return llvm::all_of(fused.getLocations(), [&](Location inner) {
      return forEachSource(inner, sources, use);
    });
  if (auto name = dyn_cast<NameLoc>(location))
    return forEachSource(name.getChildLoc(), sources, use);
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return forEachSource(call.getCallee(), sources, use) &&
           forEachSource(call.getCaller(), sources, use);
  return true;
}

/// The op in `sources` that `location` refers to; null if there is none.
static Operation *findSource(Location location, ArrayRef<Operation *> sources) {
  Operation *source = nullptr;
  forEachSource(location, sources, [&](Operation *found) {
    source = found;
    return false;
  });
  return source;
}

/// `message` with the options in it as fields of the module attribute, for
/// passes that have no such options.
static std::string inAttributeWords(StringRef message) {
  std::string text;
  while (true) {
    size_t at = message.find("--");
    text += message.take_front(at);
    if (at == StringRef::npos)
      return text;
    message = message.drop_front(at);
    StringRef name = message.drop_front(2).take_while(
        [](char c) { return llvm::isAlpha(c) || c == '-'; });
    StringRef rest = message.drop_front(2 + name.size());
    if (name.empty() || !rest.consume_front("=")) {
      text += message.take_front(2);
      message = message.drop_front(2);
      continue;
    }
    bool isQuoted = rest.consume_front("'");
    StringRef value = rest.take_until([&](char c) {
      return isQuoted ? c == '\'' : StringRef(" ;,").contains(c);
    });
    std::string field = name.str();
    llvm::replace(field, '-', '_');
    text += field + " = '" + value.str() + "' in gpucost.scenario";
    message = rest.drop_front(value.size());
    if (isQuoted)
      message.consume_front("'");
  }
}

std::unique_ptr<PassManager> PrivateLowering::takePasses(MLIRContext *context) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle.empty()) {
      std::unique_ptr<PassManager> passes = std::move(idle.back());
      idle.pop_back();
      return passes;
    }
  }
  auto passes = std::make_unique<PassManager>(context);
  passes->enableVerifier(false);
  buildKernelPipeline(*passes);
  return passes;
}

Lowered PrivateLowering::run(OwningOpRef<ModuleOp> copy,
                             ArrayRef<Operation *> sources, bool wholeFunctions,
                             Scenario settings, StringRef assumption) {
  ModuleOp module = *copy;
  MLIRContext *context = module.getContext();
  module->setAttr(targetAttrName, target.target);
  module->setAttr(coefficientsAttrName, target.coefficients);
  setScenario(module, settings);
  Lowered lowered;
  // The first error is returned; remarks about the copy are dropped.
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (llvm::get_threadid() != thread)
      return failure();
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        lowered.error.empty())
      lowered.error = diagnostic.str();
    return success();
  });
  std::unique_ptr<PassManager> passes = takePasses(context);
  if (failed(passes->run(module))) {
    lowered.error = lowered.error.empty() ? "kernel formation failed"
                                          : inAttributeWords(lowered.error);
    return lowered;
  }
  lowered.error.clear();
  lowered.assumption = assumption;
  {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(passes));
  }
  // Unknown sizes may determine how often a callee runs.
  auto isInFunction = [&](Operation *op) {
    return findTopLevelOp(op)->getParentOp() == sources.front();
  };
  module.walk([&](KernelOp kernel) {
    LoweredLaunch launch{viewKernel(kernel),
                         findSource(kernel.getLoc(), sources)};
    bool isKnown = launch.source || assumption.empty();
    if (launch.source)
      lowered.bySource[launch.source].push_back(lowered.launches.size());
    if (launch.source)
      kernel.walk([&](Operation *member) {
        forEachSource(member->getLoc(), sources, [&](Operation *part) {
          if (part != launch.source)
            lowered.partOf.try_emplace(part, launch.source);
          if (isKnown && !assumption.empty())
            isKnown = isInFunction(part) && hasKnownSizes(findTopLevelOp(part));
          return true;
        });
      });
    // The report names the op elsewhere.
    if (launch.coverage == Coverage::Fallback && launch.source &&
        launch.reason == reasonOfUnknown(&kernel.getBody().front().front()))
      launch.reason = "'" + launch.source->getName().getStringRef().str() +
                      "': " + launch.reason;
    launch.reason = inAttributeWords(launch.reason);
    if (!isKnown && launch.coverage == Coverage::Modelled) {
      launch.coverage = Coverage::Fallback;
      launch.reason = assumption.str();
    } else if (!isKnown && launch.coverage == Coverage::Fallback) {
      launch.reason += "; " + assumption.str();
    }
    lowered.launches.push_back(std::move(launch));
    return WalkResult::skip();
  });
  if (wholeFunctions) {
    ModuleAnalysisManager analyses(module, /*passInstrumentor=*/nullptr);
    AnalysisManager manager = analyses;
    lowered.model = manager.getAnalysis<KernelListAnalysis>().model();
  }
  return lowered;
}

Lowered PrivateLowering::lowerModule(ModuleOp module) {
  SmallVector<Operation *> sources;
  OwningOpRef<ModuleOp> copy = module.clone();
  tag(module, *copy, sources);
  adoptForeignFunctions(*copy);
  Lowered lowered =
      run(std::move(copy), sources, /*wholeFunctions=*/true, scenario);
  module.walk([&](Operation *op) {
    if (isFunction(op))
      lowered.functions.push_back(op);
  });
  return lowered;
}

/// Ops of these dialects do not refer to symbols. A symbol search builds each
/// op's attribute dictionary, which takes a tenth of the time to read a nest.
static bool mayNameSymbols(Operation *root) {
  auto namesNone = [](Operation *op) {
    return llvm::is_contained({"affine", "arith", "index", "linalg", "math",
                               "scf", "tensor", "vector"},
                              op->getName().getDialectNamespace());
  };
  return root
      ->walk([&](Operation *op) {
        return namesNone(op) ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Copies the symbols used by `root` and by the functions that it calls.
static void copySymbols(Operation *root, ModuleOp module, OpBuilder &builder,
                        SmallVectorImpl<Operation *> &sources,
                        SmallVectorImpl<Operation *> &functions) {
  Operation *table = SymbolTable::getNearestSymbolTable(root->getParentOp());
  llvm::SetVector<Operation *> symbols;
  auto addUses = [&](Operation *user) {
    auto uses = SymbolTable::getSymbolUses(user);
    if (!uses || !table)
      return;
    for (SymbolTable::SymbolUse use : *uses) {
      Operation *symbol = SymbolTable::lookupSymbolIn(
          table, use.getSymbolRef().getRootReference());
      if (symbol && symbol != root)
        symbols.insert(symbol);
    }
  };
  addUses(root);
  for (size_t i = 0; i < symbols.size(); ++i)
    addUses(symbols[i]);
  for (Operation *symbol : symbols) {
    builder.setInsertionPointToEnd(module.getBody());
    Operation *copy = builder.clone(*symbol);
    tag(symbol, copy, sources);
    if (isFunction(symbol))
      functions.push_back(symbol);
  }
}

Lowered PrivateLowering::lowerFunction(Operation *function) {
  Lowered lowered = lowerFunction(function, scenario, /*assumption=*/"");
  std::string unknown;
  if (llvm::any_of(function->getRegion(0).getArgumentTypes(), hasDynamicSize))
    unknown = lowered.error;
  for (const LoweredLaunch &launch : lowered.launches)
    if (unknown.empty() && launch.coverage == Coverage::Unmodelled)
      unknown = launch.reason;
  Scenario settings = scenario;
  NamedValues bind = settings.bind.value_or(NamedValues());
  if (unknown.empty() || !bind.try_emplace("*", 1).second)
    return lowered;
  settings.bind = std::move(bind);
  Lowered assumed = lowerFunction(
      function, settings,
      unknown + "; lower bound: every size without a value counts as 1");
  if (!assumed.error.empty())
    return lowered;
  // Kernels with known sizes do not depend on the assumption.
  for (LoweredLaunch &launch : assumed.launches) {
    auto known = lowered.bySource.find(launch.source);
    if (launch.source && known != lowered.bySource.end() &&
        llvm::all_of(known->second, [&](uint32_t index) {
          return lowered.launches[index].coverage == Coverage::Modelled;
        })) {
      launch.coverage = Coverage::Modelled;
      launch.reason.clear();
    }
  }
  return assumed;
}

Lowered PrivateLowering::lowerFunction(Operation *function,
                                       const Scenario &stated,
                                       StringRef assumption) {
  MLIRContext *context = function->getContext();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  OpBuilder builder(context);
  SmallVector<Operation *> sources;
  SmallVector<Operation *> functions = {function};
  builder.setInsertionPointToEnd(module->getBody());
  Operation *copy = builder.clone(*function);
  tag(function, copy, sources);
  if (!assumption.empty())
    assumeLeastSizes(copy);
  copySymbols(function, *module, builder, sources, functions);
  Scenario settings = stated;
  settings.entry = SymbolTable::getSymbolName(function).str();
  adoptForeignFunctions(*module);
  Lowered lowered = run(std::move(module), sources, /*wholeFunctions=*/true,
                        settings, assumption);
  lowered.functions.assign(functions.begin(), functions.end());
  return lowered;
}

/// Whether an op is copied with a loop that reads it: it launches nothing, or
/// the loop decides whether it does; it defines the memory that the loop reads.
static bool isCopiedAlong(Operation *def) {
  if (isa<CallOpInterface>(def))
    return false;
  CostClass shape = getCostClass(def);
  // A broadcast is a structured op with a body.
  if (def->getNumRegions())
    return shape == CostClass::View && isa<linalg::LinalgOp>(def);
  return shape == CostClass::View || launchesNothing(def) ||
         dependsOnUsers(def, shape);
}

Lowered PrivateLowering::lowerOp(Operation *op) {
  MLIRContext *context = op->getContext();
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  llvm::SetVector<Operation *> along;
  for (size_t i = 0; i < read.size() && along.size() < maxCopiedAlong; ++i)
    if (Operation *def = read[i].getDefiningOp(); def && isCopiedAlong(def)) {
      along.insert(def);
      read.insert(def->operand_begin(), def->operand_end());
    }
  SmallVector<Value> arguments;
  for (Value value : read)
    if (!along.contains(value.getDefiningOp()))
      arguments.push_back(value);

  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, UnknownLoc::get(context), "main",
      builder.getFunctionType(TypeRange(ValueRange(arguments)),
                              op->getResultTypes()));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  mapping.map(arguments, body->getArguments());
  // Definitions precede their users. `isBeforeInBlock` must not be used,
  // because it would number the ops of the block, which other threads may read.
  llvm::SetVector<Operation *> ordered;
  std::function<void(Operation *)> place = [&](Operation *def) {
    for (Value operand : def->getOperands())
      if (Operation *earlier = operand.getDefiningOp();
          along.contains(earlier) && !ordered.contains(earlier))
        place(earlier);
    ordered.insert(def);
  };
  for (Operation *def : along)
    place(def);
  SmallVector<Operation *> sources, functions;
  for (Operation *def : ordered)
    tag(def, builder.clone(*def, mapping), sources);
  Operation *copy = builder.clone(*op, mapping);
  tag(op, copy, sources);
  func::ReturnOp::create(builder, UnknownLoc::get(context), copy->getResults());
  if (mayNameSymbols(op))
    copySymbols(op, *module, builder, sources, functions);
  Scenario settings = scenario;
  settings.entry = "main";
  Lowered lowered =
      run(std::move(module), sources, /*wholeFunctions=*/false, settings);
  lowered.along = along.takeVector();
  return lowered;
}
