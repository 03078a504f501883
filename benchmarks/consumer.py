#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the compilation of passes that query the cost analysis.

  benchmarks/consumer.py [--build build] [--base OTHER] [--runs 7] [--cxx clang++-22] [--llvm /usr/lib/llvm-22]

CPU seconds (user + system, medians) of `CXX -std=c++17 -O2 -fPIC -fno-rtti -c`, for consumers that include
more and more of MLIR. "a pass that tiles" tiles contractions by getTopSchedules and queries the nest. "MLIR
alone" is the lower limit of a pass: its MLIR headers without the analysis. The last lines use a precompiled
header, as gpucost_add_mlir_plugin(... PRECOMPILE) makes it once per project. BUILD has the generated headers.

With --base, the same consumers are compiled in turn against another source tree with a `build` folder, without a
precompiled header and with the pass of its examples folder, and each line ends with the ratio.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANALYSIS = '#include "HEADER"\n'
MLIR = '#include "mlir/Pass/Pass.h"\n'
FUNCTIONS = '#include "mlir/Dialect/Func/IR/FuncOps.h"\n'
PASS = """
using namespace mlir;
namespace {
struct Ask : PassWrapper<Ask, OperationPass<ON>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Ask)
  StringRef getArgument() const override { return "ask"; }
  void getDependentDialects(DialectRegistry &registry) const override { DIALECTS }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) { QUERY });
  }
};
} // namespace
std::unique_ptr<Pass> makeAsk() { return std::make_unique<Ask>(); }
"""
ASK = PASS.replace("DIALECTS", "gpucost::CostAnalysis::insertDialects(registry);").replace(
    "QUERY", "op->emitRemark() << getAnalysis<gpucost::CostAnalysis>().getCost(op).time.value();")
EMPTY = PASS.replace("DIALECTS", "").replace("QUERY", "op->emitRemark() << 0.0;")
TILE = """
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
using namespace mlir;
namespace {
struct Tile : PassWrapper<Tile, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Tile)
  StringRef getArgument() const override { return "tile"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    gpucost::CostAnalysis::insertDialects(registry);
    registry.insert<scf::SCFDialect, gpu::GPUDialect>();
  }
  void runOnOperation() override {
    auto &costs = getAnalysis<gpucost::CostAnalysis>();
    if (!costs.isValid())
      return signalPassFailure();
    IRRewriter rewriter(&getContext(), costs.getListener());
    SmallVector<linalg::LinalgOp> work;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (linalg::isaContractionOpInterface(op))
        work.push_back(op);
    });
    for (linalg::LinalgOp op : work) {
      gpucost::ScheduleSpace space;
      for (int32_t m : {32, 64, 128, 256})
        for (int32_t n : {32, 64, 128, 256}) {
          gpucost::Schedule s;
          s.tileM = m;
          s.tileN = n;
          space.schedules.push_back(s);
        }
      auto top = costs.getTopSchedules({op.getOperation()}, space, 3);
      if (top.empty())
        continue;
      scf::SCFTilingOptions options;
      SmallVector<OpFoldResult> sizes(op.getNumLoops(), rewriter.getIndexAttr(0));
      sizes[0] = rewriter.getIndexAttr(top[0].schedule.tileM);
      sizes[1] = rewriter.getIndexAttr(top[0].schedule.tileN);
      options.setTileSizes(sizes);
      options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
      options.setMapping({gpu::GPUBlockMappingAttr::get(&getContext(), gpu::MappingId::DimY),
                          gpu::GPUBlockMappingAttr::get(&getContext(), gpu::MappingId::DimX)});
      rewriter.setInsertionPoint(op);
      auto tiled = scf::tileUsingSCF(rewriter, cast<TilingInterface>(op.getOperation()), options);
      if (failed(tiled))
        continue;
      rewriter.replaceOp(op, tiled->replacements);
      gpucost::Cost cost = costs.getCost(tiled->loops.front());
      tiled->loops.front()->emitRemark() << llvm::formatv("{0:f2} us", cost.time.value() * 1e6).str();
    }
  }
};
} // namespace
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tile", LLVM_VERSION_STRING, [] { PassRegistration<Tile>(); }};
}
"""


# Headers of each consumer besides those of every plugin.
PRECOMPILED = {
    "a pass on functions": [],
    "a pass that tiles": ["mlir/Dialect/GPU/IR/GPUDialect.h", "mlir/Dialect/Linalg/IR/Linalg.h",
                          "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"],
    "examples/fuse-by-cost": ["mlir/Dialect/Linalg/Transforms/Transforms.h"],
}


def plugin_headers(further):
    """The headers that gpucost_add_mlir_plugin(... PRECOMPILE `further`) precompiles."""
    text = (ROOT / "cmake/GpuCostPlugins.cmake").read_text()
    own = re.search(r"IN ITEMS (.*?)\$", text, re.DOTALL).group(1).split()
    return "".join(f"#include <{name}>\n" for name in own + further)


def consumers(tree):
    """Source text of each consumer, for the headers of `tree`."""
    header = next((tree / "include").rglob("CostAnalysis/CostAnalysis.h")).relative_to(tree / "include")
    analysis = ANALYSIS.replace("HEADER", str(header))
    return {
        "CostAnalysis.h": analysis,
        "a pass on any op": analysis + MLIR + ASK.replace("ON>", ">"),
        "the same, MLIR alone": MLIR + EMPTY.replace("ON>", ">"),
        "a pass on functions": analysis + FUNCTIONS + MLIR + ASK.replace("ON>", "func::FuncOp>"),
        "the same pass, MLIR alone": FUNCTIONS + MLIR + EMPTY.replace("ON>", "func::FuncOp>"),
        "a pass that tiles": analysis + FUNCTIONS + MLIR + TILE,
        "examples/fuse-by-cost": (tree / "examples/fuse-by-cost/FuseByCost.cpp").read_text(),
    }


def seconds(arguments, tree, build, source, precompiled=None, output=None):
    """CPU seconds of one compilation, or, with `output`, of the precompiled header `source`."""
    with tempfile.TemporaryDirectory() as folder:
        # The compiler reads the source of a precompiled header again.
        file = output.with_suffix(".h") if output else pathlib.Path(folder) / "consumer.cpp"
        file.write_text(source)
        command = [arguments.cxx, "-std=c++17", "-O2", "-fPIC", "-fno-rtti", f"-I{tree}/include", f"-I{build}/include",
                   "-isystem", f"{arguments.llvm}/include"]
        if output:  # As CMake does it for clang.
            command += ["-fpch-instantiate-templates", "-x", "c++-header", str(file), "-o", str(output)]
        else:
            command += ["-c", str(file), "-o", f"{folder}/consumer.o"]
        if precompiled:
            command += ["-include-pch", str(precompiled)]
        process = subprocess.Popen(command)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
        return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--base")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--cxx", default="clang++-22")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("--runs must be at least 1")
    trees = [(ROOT, pathlib.Path(arguments.build).resolve())]
    if arguments.base:
        base = pathlib.Path(arguments.base).resolve()
        trees.append((base, base / "build"))
    for _, build in trees:
        if not (build / "include/gpucost").is_dir():
            parser.error(f"{build}: no include/gpucost; expected a build folder")
    texts = [consumers(tree) for tree, _ in trees]

    def compare(name, text, **options):
        """Prints the times of the consumer `name`, here from `text`."""
        samples = [[] for _ in trees]
        for turn in range(arguments.runs + 1):
            for i, (tree, build) in enumerate(trees):
                measured = seconds(arguments, tree, build, texts[i][name] if i else text, **({} if i else options))
                if turn:  # The first run warms the file cache.
                    samples[i].append(measured)
        medians = [statistics.median(sample) for sample in samples]
        line = f"{name + (', precompiled' if options else ''):36}" + "".join(f"  {median:5.2f} s" for median in medians)
        if arguments.base:
            line += f"  ratio {medians[0] / medians[1]:.2f}"
        print(line, flush=True)

    for name, text in texts[0].items():
        compare(name, text)
    for name, further in PRECOMPILED.items():
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / "plugin.pch"
            once = statistics.median(seconds(arguments, *trees[0], plugin_headers(further), output=header)
                                     for _ in range(arguments.runs))
            print(f"{'its precompiled header, once':36}  {once:5.2f} s", flush=True)
            compare(name, texts[0][name], precompiled=header)


if __name__ == "__main__":
    main()
