//===- CostAnalysisBenchmark.cpp - What a compiler pass waits for ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BERT-large (24 layers, 1024 wide, 16 heads, batch 8 x 384 tokens) in linalg
// on bf16 tensors, as a front end emits it: the analysis of a function anew
// (`analyze`), annotated (`annotate`, at most 10 ms), one op after a rewrite
// (`requery`, at most 50 us), a fusion (`fusion`, at most 5 us), schedules.
// `annotateFile` annotates the file that GPUCOST_BENCHMARK_FILE names.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "gpucost/Compiler/CostAnalysis/Passes.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <sstream>

using namespace gpucost;

namespace {

/// Writes linalg ops one after the other.
class BertWriter {
public:
  std::string write(int layers) {
    text << "#r = affine_map<(i, j) -> (i, j)>\n"
            "#v = affine_map<(i, j) -> (j)>\n"
            "#c = affine_map<(i, j) -> (i)>\n"
            "#b4 = affine_map<(b, i, j) -> (b, i, j)>\n"
            "#b3 = affine_map<(b, i, j) -> (b, i)>\n"
            "func.func @main(%x0: tensor<3072x1024xbf16>, "
            "%w: tensor<1024x1024xbf16>, %up: tensor<1024x4096xbf16>, "
            "%down: tensor<4096x1024xbf16>, %v1: tensor<1024xbf16>, "
            "%v4: tensor<4096xbf16>) -> tensor<3072x1024xbf16> {\n"
            "%zero = arith.constant 0.0 : bf16\n"
            "%scale = arith.constant 0.125 : bf16\n";
    std::string x = "%x0";
    for (int layer = 0; layer < layers; ++layer)
      x = writeLayer(x);
    text << "return " << x << " : tensor<3072x1024xbf16>\n}\n";
    return text.str();
  }

private:
  std::string next() { return "%n" + std::to_string(count++); }
  std::string empty(const std::string &type) {
    std::string name = next();
    text << name << " = tensor.empty() : " << type << "\n";
    return name;
  }
  std::string zeros(const std::string &type) {
    std::string out = empty(type), name = next();
    text << name << " = linalg.fill ins(%zero : bf16) outs(" << out << " : "
         << type << ") -> " << type << "\n";
    return name;
  }
  std::string named(const std::string &op, const std::string &a,
                    const std::string &aType, const std::string &b,
                    const std::string &bType, const std::string &type) {
    std::string out = zeros(type), name = next();
    text << name << " = linalg." << op << " ins(" << a << ", " << b << " : "
         << aType << ", " << bType << ") outs(" << out << " : " << type
         << ") -> " << type << "\n";
    return name;
  }
  /// One elementwise or row op of two operands.
  std::string generic(const std::string &maps, const std::string &iterators,
                      const std::string &inputs, const std::string &types,
                      const std::string &arguments, const std::string &out,
                      const std::string &type, const std::string &body) {
    std::string name = next();
    text << name << " = linalg.generic {indexing_maps = [" << maps
         << "], iterator_types = [" << iterators << "]} ins(" << inputs << " : "
         << types << ") outs(" << out << " : " << type << ") {\n^bb0("
         << arguments << ", %o: bf16):\n"
         << body << "linalg.yield %y : bf16\n} -> " << type << "\n";
    return name;
  }
  std::string product(const std::string &a, int k, const std::string &w, int n,
                      const std::string &bias) {
    std::string size = std::to_string(n);
    std::string type = "tensor<3072x" + size + "xbf16>";
    std::string p =
        named("matmul", a, "tensor<3072x" + std::to_string(k) + "xbf16>", w,
              "tensor<" + std::to_string(k) + "x" + size + "xbf16>", type);
    return generic("#r, #v, #r", "\"parallel\", \"parallel\"", p + ", " + bias,
                   type + ", tensor<" + size + "xbf16>", "%l: bf16, %h: bf16",
                   empty(type), type, "%y = arith.addf %l, %h : bf16\n");
  }
  std::string norm(const std::string &a, const std::string &b) {
    const std::string type = "tensor<3072x1024xbf16>",
                      row = "tensor<3072xbf16>", both = "%l: bf16, %h: bf16";
    const std::string par = "\"parallel\", \"parallel\"";
    std::string s =
        generic("#r, #r, #r", par, a + ", " + b, type + ", " + type, both,
                empty(type), type, "%y = arith.addf %l, %h : bf16\n");
    std::string sum =
        generic("#r, #c", "\"parallel\", \"reduction\"", s, type, "%l: bf16",
                zeros(row), row, "%y = arith.addf %l, %o : bf16\n");
    std::string d =
        generic("#r, #c, #r", par, s + ", " + sum, type + ", " + row, both,
                empty(type), type, "%y = arith.subf %l, %h : bf16\n");
    std::string q = generic("#r, #c", "\"parallel\", \"reduction\"", d, type,
                            "%l: bf16", zeros(row), row,
                            "%m = arith.mulf %l, %l : bf16\n"
                            "%y = arith.addf %m, %o : bf16\n");
    std::string n = generic("#r, #c, #r", par, d + ", " + q, type + ", " + row,
                            both, empty(type), type,
                            "%e = math.rsqrt %h : bf16\n"
                            "%y = arith.mulf %l, %e : bf16\n");
    std::string g =
        generic("#r, #v, #r", par, n + ", %v1", type + ", tensor<1024xbf16>",
                both, empty(type), type, "%y = arith.mulf %l, %h : bf16\n");
    return generic("#r, #v, #r", par, g + ", %v1", type + ", tensor<1024xbf16>",
                   both, empty(type), type, "%y = arith.addf %l, %h : bf16\n");
  }
  /// [3072, 1024] as [128 (batch x heads), 384, 64].
  std::string heads(const std::string &x) {
    std::string split = next(), moved = next(), merged = next();
    std::string out = empty("tensor<8x16x384x64xbf16>");
    text << split << " = tensor.expand_shape " << x
         << " [[0, 1], [2, 3]] output_shape [8, 384, 16, 64] : "
            "tensor<3072x1024xbf16> into tensor<8x384x16x64xbf16>\n"
         << moved << " = linalg.transpose ins(" << split
         << " : tensor<8x384x16x64xbf16>) outs(" << out
         << " : tensor<8x16x384x64xbf16>) permutation = [0, 2, 1, 3]\n"
         << merged << " = tensor.collapse_shape " << moved
         << " [[0, 1], [2], [3]] : tensor<8x16x384x64xbf16> into "
            "tensor<128x384x64xbf16>\n";
    return merged;
  }
  std::string writeLayer(const std::string &x) {
    const std::string head = "tensor<128x384x64xbf16>",
                      keys = "tensor<128x64x384xbf16>",
                      scores = "tensor<128x384x384xbf16>",
                      rows = "tensor<128x384xbf16>";
    std::string q = heads(product(x, 1024, "%w", 1024, "%v1"));
    std::string k = heads(product(x, 1024, "%w", 1024, "%v1"));
    std::string v = heads(product(x, 1024, "%w", 1024, "%v1"));
    std::string kt = next(), ktOut = empty(keys);
    text << kt << " = linalg.transpose ins(" << k << " : " << head << ") outs("
         << ktOut << " : " << keys << ") permutation = [0, 2, 1]\n";
    std::string s = named("batch_matmul", q, head, kt, keys, scores);
    const std::string par = "\"parallel\", \"parallel\", \"parallel\"",
                      red = "\"parallel\", \"parallel\", \"reduction\"";
    std::string scaled =
        generic("#b4, #b4", par, s, scores, "%l: bf16", empty(scores), scores,
                "%y = arith.mulf %l, %scale : bf16\n");
    std::string top =
        generic("#b4, #b3", red, scaled, scores, "%l: bf16", zeros(rows), rows,
                "%y = arith.maximumf %l, %o : bf16\n");
    std::string e =
        generic("#b4, #b3, #b4", par, scaled + ", " + top, scores + ", " + rows,
                "%l: bf16, %h: bf16", empty(scores), scores,
                "%d = arith.subf %l, %h : bf16\n"
                "%y = math.exp %d : bf16\n");
    std::string sum =
        generic("#b4, #b3", red, e, scores, "%l: bf16", zeros(rows), rows,
                "%y = arith.addf %l, %o : bf16\n");
    std::string p =
        generic("#b4, #b3, #b4", par, e + ", " + sum, scores + ", " + rows,
                "%l: bf16, %h: bf16", empty(scores), scores,
                "%y = arith.divf %l, %h : bf16\n");
    std::string c = named("batch_matmul", p, scores, v, head, head);
    std::string split = next(), moved = next(), merged = next();
    std::string out = empty("tensor<8x384x16x64xbf16>");
    text << split << " = tensor.expand_shape " << c
         << " [[0, 1], [2], [3]] output_shape [8, 16, 384, 64] : " << head
         << " into tensor<8x16x384x64xbf16>\n"
         << moved << " = linalg.transpose ins(" << split
         << " : tensor<8x16x384x64xbf16>) outs(" << out
         << " : tensor<8x384x16x64xbf16>) permutation = [0, 2, 1, 3]\n"
         << merged << " = tensor.collapse_shape " << moved
         << " [[0, 1], [2, 3]] : tensor<8x384x16x64xbf16> into "
            "tensor<3072x1024xbf16>\n";
    std::string y = norm(product(merged, 1024, "%w", 1024, "%v1"), x);
    std::string h = product(y, 1024, "%up", 4096, "%v4");
    const std::string wide = "tensor<3072x4096xbf16>";
    std::string g =
        generic("#r, #r", "\"parallel\", \"parallel\"", h, wide, "%l: bf16",
                empty(wide), wide,
                "%e = math.erf %l : bf16\n%y = arith.mulf %l, %e : bf16\n");
    return norm(product(g, 4096, "%down", 1024, "%v1"), y);
  }

  std::ostringstream text;
  int count = 0;
};

struct Bert {
  /// BERT, or the module of `file`.
  explicit Bert(const char *file = nullptr)
      : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry needed = registry();
    for (llvm::StringRef name : needed.getDialectNames())
      context.getOrLoadDialect(name);
    context.allowUnregisteredDialects(file);
    module = file ? mlir::parseSourceFile<mlir::ModuleOp>(file, &context)
                  : mlir::parseSourceString<mlir::ModuleOp>(
                        BertWriter().write(24), &context);
    if (!module)
      std::abort();
    scenario.target = "a100-bf16";
    for (mlir::Operation &op :
         (*module->getOps<mlir::func::FuncOp>().begin()).front())
      ops.push_back(&op);
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    CostAnalysis::insertDialects(registry);
    return registry;
  }
  mlir::Operation *find(llvm::StringRef name, size_t index) const {
    for (mlir::Operation *op : ops)
      if (op->getName().getStringRef() == name && index-- == 0)
        return op;
    std::abort();
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Scenario scenario;
  std::vector<mlir::Operation *> ops;
};

} // namespace

static void analyze(benchmark::State &state) {
  Bert bert;
  for (auto _ : state) {
    CostAnalysis analysis(*bert.module, bert.scenario);
    for (mlir::Operation *op : bert.ops)
      benchmark::DoNotOptimize(analysis.getCost(op));
  }
  state.counters["ops"] = static_cast<double>(bert.ops.size());
}
BENCHMARK(analyze)->Unit(benchmark::kMillisecond);

static void annotateModule(benchmark::State &state, const char *file) {
  Bert bert(file);
  mlir::PassManager passes(&bert.context);
  passes.enableVerifier(false);
  passes.addPass(createAnnotatePass(bert.scenario));
  mlir::PassManager strip(&bert.context);
  strip.addPass(createStripPass());
  for (auto _ : state) {
    if (mlir::failed(passes.run(*bert.module)))
      std::abort();
    state.PauseTiming();
    (void)strip.run(*bert.module);
    state.ResumeTiming();
  }
}

static void annotate(benchmark::State &state) {
  annotateModule(state, /*file=*/nullptr);
}
BENCHMARK(annotate)->Unit(benchmark::kMillisecond);

static void annotateFile(benchmark::State &state) {
  if (const char *file = std::getenv("GPUCOST_BENCHMARK_FILE"))
    annotateModule(state, file);
  else
    state.SkipWithError("GPUCOST_BENCHMARK_FILE is not set");
}
BENCHMARK(annotateFile)->Unit(benchmark::kMillisecond);

/// The iteration, host and all, of a function that has changed.
static void wholeFunction(benchmark::State &state) {
  Bert bert;
  CostAnalysis analysis(*bert.module, bert.scenario);
  mlir::Operation *function = bert.ops.front()->getParentOp();
  for (auto _ : state) {
    analysis.invalidate(bert.ops.back());
    benchmark::DoNotOptimize(analysis.getCost(function));
  }
}
BENCHMARK(wholeFunction)->Unit(benchmark::kMillisecond);

/// An op in the middle gets another operand; the costs of the op and its
/// neighbours are queried again.
static void requery(benchmark::State &state) {
  Bert bert;
  CostAnalysis analysis(*bert.module, bert.scenario);
  for (mlir::Operation *op : bert.ops)
    benchmark::DoNotOptimize(analysis.getCost(op));
  mlir::IRRewriter rewriter(&bert.context, analysis.getListener());
  mlir::Operation *product = bert.find("linalg.matmul", 60);
  mlir::Value first = product->getOperand(0),
              other = product->getBlock()->getArgument(0);
  if (first.getType() != other.getType())
    other = first;
  bool flip = false;
  for (auto _ : state) {
    flip = !flip;
    rewriter.modifyOpInPlace(
        product, [&] { product->setOperand(0, flip ? other : first); });
    benchmark::DoNotOptimize(analysis.getCost(product));
    for (mlir::Operation *user : product->getUsers())
      benchmark::DoNotOptimize(analysis.getCost(user));
  }
}
BENCHMARK(requery)->Unit(benchmark::kMicrosecond);

/// A matmul that is a nest of CTAs, after a rewrite in it.
static void requeryNest(benchmark::State &state) {
  Bert bert;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    func.func @main(%a: tensor<3072x1024xbf16>, %b: tensor<1024x4096xbf16>,
                    %c: tensor<3072x4096xbf16>) -> tensor<3072x4096xbf16> {
      %r = scf.forall (%i, %j) = (0, 0) to (3072, 4096) step (128, 128)
          shared_outs(%o = %c) -> (tensor<3072x4096xbf16>) {
        %at = tensor.extract_slice %a[%i, 0] [128, 1024] [1, 1]
            : tensor<3072x1024xbf16> to tensor<128x1024xbf16>
        %bt = tensor.extract_slice %b[0, %j] [1024, 128] [1, 1]
            : tensor<1024x4096xbf16> to tensor<1024x128xbf16>
        %ct = tensor.extract_slice %o[%i, %j] [128, 128] [1, 1]
            : tensor<3072x4096xbf16> to tensor<128x128xbf16>
        %t = linalg.matmul
            ins(%at, %bt : tensor<128x1024xbf16>, tensor<1024x128xbf16>)
            outs(%ct : tensor<128x128xbf16>) -> tensor<128x128xbf16>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %t into %o[%i, %j] [128, 128] [1, 1]
              : tensor<128x128xbf16> into tensor<3072x4096xbf16>
        }
      } {mapping = [#gpu.block<y>, #gpu.block<x>]}
      return %r : tensor<3072x4096xbf16>
    })mlir",
                                                        &bert.context);
  if (!module)
    std::abort();
  CostAnalysis analysis(*module, bert.scenario);
  mlir::Operation *nest =
      &(*module->getOps<mlir::func::FuncOp>().begin()).front().front();
  mlir::Operation *inner = &nest->getRegion(0).front().front();
  for (auto _ : state) {
    analysis.invalidate(inner);
    benchmark::DoNotOptimize(analysis.getCost(nest));
  }
}
BENCHMARK(requeryNest)->Unit(benchmark::kMicrosecond);

/// Bias (of a matmul with GELU after it) and GELU.
static void fusion(benchmark::State &state) {
  Bert bert;
  CostAnalysis analysis(*bert.module, bert.scenario);
  mlir::Operation *product = bert.find("linalg.matmul", 4);
  mlir::Operation *bias = *product->getUsers().begin();
  mlir::Operation *gelu = *bias->getUsers().begin();
  for (auto _ : state)
    benchmark::DoNotOptimize(analysis.getFusionBenefit(bias, gelu));
}
BENCHMARK(fusion)->Unit(benchmark::kMicrosecond);

static void schedules(benchmark::State &state) {
  Bert bert;
  CostAnalysis analysis(*bert.module, bert.scenario);
  mlir::Operation *product = bert.find("linalg.matmul", 4);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        analysis.getTopSchedules(product, ScheduleSpace(), 8));
}
BENCHMARK(schedules)->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
