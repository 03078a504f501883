//===- DriverOptions.h - Command line of the tool ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every flag of `gpu-cost-opt` that is not a pass: the settings, the actions
// and the output of the tool.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_DRIVEROPTIONS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_DRIVEROPTIONS_H

#include "GraphCosts.h"
#include "ScenarioFlags.h"
#include "gpucost/Applications/Report/Report.h"
#include <string>

namespace gpucost {

/// `OldImport` is how `Import` was called before schema 2.
enum class Emit { Report, IR, Shapes, Import, OldImport, Onnx, ModelExplorer };

enum class ColorMode { Auto, Always, Never };
enum class UserDocument { None, ManPage, Bash, Zsh };

enum class TraceLoops { Expand, Collapse };

/// The flags as LLVM `cl` options; one instance, that of ProcessFlags.
struct DriverOptions {
  /// A flag combination that makes no sense with `scenario`: the message, else
  /// "".
  std::string findMisuse(const Scenario &scenario) const;

  /// "table|json|csv|html".
  static llvm::StringRef reportFormats();
  /// "report|...".
  static llvm::StringRef schemaKinds();

  /// Whether the output is the graph of an ONNX file.
  bool emitsGraph() const {
    return emit == Emit::Onnx || emit == Emit::ModelExplorer;
  }
  bool isKernelQuery() const { return !kernels.empty() || !kernel.empty(); }
  bool needsDetails() const { return details || report == "html"; }
  /// Whether help shows options of this category.
  bool hasCategory(const llvm::cl::OptionCategory *category) const {
    return category == &output || scenario.hasCategory(category);
  }

  /// `gpu-cost-opt prepare`: the kernels of the iteration as a file.
  bool prepare = false;

  ScenarioFlags scenario;
  llvm::cl::OptionCategory output{"Output"};
  llvm::cl::OptionCategory &inputs = scenario.category(SettingGroup::Input),
                           &device = scenario.category(SettingGroup::Device),
                           &training =
                               scenario.category(SettingGroup::Training);

  template <typename T> using Flag = llvm::cl::opt<T>;
  using Text = Flag<std::string>;
  using Help = llvm::cl::desc;
  using Value = llvm::cl::value_desc;
  using Section = llvm::cl::cat;

  Flag<bool> help{"help", Section(output),
                  Help("print this text and exit (--help-hidden: with the "
                       "passes and the flags of MLIR)")};
  llvm::cl::alias helpLetter{"h", llvm::cl::aliasopt(help), llvm::cl::Hidden,
                             Help("--help")};
  Flag<bool> helpHidden{"help-hidden", llvm::cl::Hidden, Section(output),
                        Help("print this text and exit")};
  Flag<bool> version{"version", Section(output),
                     Help("print the version and exit")};
  Text input{llvm::cl::Positional,
             Help("<model.onnx | model.mlir | config.json>"), Section(inputs)};
  Text settings{"settings", Value("file.json"), Section(inputs),
                Help("the settings of a JSON report, or a file with such an "
                     "object; flags override them")};
  Text kernels{"kernels", Value("file.csv"), Section(inputs),
               Help("predict one kernel per row of a CSV file")};
  Text kernel{"kernel", Value("'matmul m=4096 n=4096 k=4096'"), Section(inputs),
              Help("predict a single kernel")};
  Text checkTarget{
      "check-target", Value("file.mlir"), Section(device),
      Help("check a target, network or coefficients file and exit")};
  Flag<bool> listTargets{"list-targets", Section(device),
                         Help("list the built-in GPUs and exit")};
  Flag<bool> listNetworks{
      "list-networks", Section(device),
      Help("list the built-in networks between nodes and exit")};
  Flag<bool> dumpCoefficients{
      "dump-coefficients", Section(device), llvm::cl::Hidden,
      Help("print every coefficient of the model as JSON: symbol, range, "
           "calibration")};
  Flag<bool> howAccurate{
      "how-accurate", Section(output),
      Help("instead of the report: the measured iterations nearest to it and "
           "their errors; without a model: of all measured iterations")};
  Flag<bool> maxBatch{"max-batch", Section(training),
                      Help("find the largest batch that fits into the "
                           "memory")};
  Text report{"report", Value(reportFormats()), llvm::cl::init("table"),
              Section(output), Help("format of the report (default: table)")};
  Text outputFile{"o", Value("file"), llvm::cl::init("-"), Section(output),
                  Help("write to a file instead of standard output")};
  Flag<Emit> emit{
      "emit", llvm::cl::init(Emit::Report), Section(output),
      Help("kind of output:"),
      llvm::cl::values(
          clEnumValN(Emit::Report, "report", "the report (default)"),
          clEnumValN(Emit::IR, "ir", "the annotated module"),
          clEnumValN(Emit::Shapes, "shapes",
                     "JSON: ONNX value name -> type and shape"),
          clEnumValN(Emit::OldImport, "import", "the same (deprecated)"),
          clEnumValN(Emit::Import, "imported-ir",
                     "the module as imported, before any pass"),
          clEnumValN(Emit::Onnx, "onnx",
                     "the ONNX model with costs in its metadata"),
          clEnumValN(Emit::ModelExplorer, "model-explorer",
                     "node data for Google's Model Explorer"))};
  Flag<HeatValue> heat{
      "heat",
      Value("time|energy|memory"),
      llvm::cl::init(HeatValue::Time),
      Section(output),
      Help("value that colours nodes with --emit=model-explorer:"),
      llvm::cl::values(
          clEnumValN(HeatValue::Time, "time", "of their kernels (default)"),
          clEnumValN(HeatValue::Energy, "energy", "of their kernels"),
          clEnumValN(HeatValue::Memory, "memory", "that they make"))};
  Flag<unsigned> top{"top", Value("n"), llvm::cl::init(10), Section(output),
                     Help("kernels in the table (default: 10)")};
  Flag<GroupBy> groupBy{
      "group-by",
      Value("op|layer|scope"),
      llvm::cl::init(GroupBy::None),
      Section(output),
      Help("add launches up, in the table and in JSON:"),
      llvm::cl::values(
          clEnumValN(GroupBy::Op, "op", "by operator"),
          clEnumValN(GroupBy::Layer, "layer",
                     "by module, up to the first number in its path"),
          clEnumValN(GroupBy::Scope, "scope",
                     "by module, as the names of the nodes have its path"))};
  Flag<unsigned> tree{"tree", Value("levels"), llvm::cl::init(0),
                      Section(output),
                      Help("add a module tree with this number of levels to "
                           "the table")};
  Flag<unsigned> width{"width", Value("columns"), llvm::cl::init(0),
                       Section(output),
                       Help("width of tables (default: that of the terminal, "
                            "else 100)")};
  Text units{"units", Value("ms,mJ,GB,..."), Section(output),
             Help("units in the table instead of automatic ones")};
  Flag<ColorMode> color{
      "color",
      Value("auto|always|never"),
      llvm::cl::init(ColorMode::Auto),
      Section(output),
      Help("colour and bars in the table:"),
      llvm::cl::values(clEnumValN(ColorMode::Auto, "auto",
                                  "on a terminal without NO_COLOR (default)"),
                       clEnumValN(ColorMode::Always, "always", "everywhere"),
                       clEnumValN(ColorMode::Never, "never", "nowhere"))};
  Flag<bool> strict{"strict", Section(output),
                    Help("exit with 3 unless every op is fully modelled")};
  Flag<bool> sensitivities{
      "sensitivities", Section(output),
      Help("how time and energy depend on each fact of the GPU and each "
           "numeric setting, and the factors that double the speed")};
  Flag<bool> details{
      "details", Section(output),
      Help("in JSON: the terms of each kernel's time and energy, the sources "
           "of the coefficients, the launches in order; a page has them")};
  Flag<bool> timing{"timing", Section(output),
                    Help("print the time that the tool needs for each step on "
                         "standard error: import, prepare, place, evaluate")};
  Flag<bool> explain{"explain", Section(output),
                     Help("report on standard error which patterns of the "
                          "file run as one kernel, and why others do not")};
  Text explainOp{"explain-op", Value("node|number|operator"), Section(output),
                 Help("explain one op from its shape to seconds and joules, "
                      "instead of the report")};
  Text trace{"trace", Value("file.json"), Section(output),
             Help("write the iteration as a timeline, which Perfetto, "
                  "chrome://tracing and tools for traces of PyTorch open")};
  Flag<TraceLoops> traceLoops{
      "trace-loops",
      Value("expand|collapse"),
      llvm::cl::init(TraceLoops::Expand),
      Section(output),
      Help("launches of loops and accumulated passes in --trace:"),
      llvm::cl::values(
          clEnumValN(TraceLoops::Expand, "expand", "each is a slice (default)"),
          clEnumValN(TraceLoops::Collapse, "collapse",
                     "those that are alike are one slice"))};
  Flag<UserDocument> printDocument{
      "print-document",
      llvm::cl::Hidden,
      Section(output),
      llvm::cl::init(UserDocument::None),
      Help("print a document made of the flags, and exit:"),
      llvm::cl::values(
          clEnumValN(UserDocument::ManPage, "man", "the manual page"),
          clEnumValN(UserDocument::Bash, "bash", "completion for bash"),
          clEnumValN(UserDocument::Zsh, "zsh", "completion for zsh"))};
  Flag<bool> listSettings{"list-settings", Section(output),
                          Help("print the settings as a page of "
                               "documentation and exit")};
  Text printSchema{"print-schema", Value(schemaKinds()), Section(output),
                   Help("print the JSON Schema of a report and exit")};
  Flag<bool> listReportFields{
      "list-report-fields", Section(output), llvm::cl::Hidden,
      Help("print every field of every report as JSON and exit")};
};

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_DRIVEROPTIONS_H
