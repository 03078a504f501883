//===- Compare.cpp - Differences between two reports ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/Compare.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <set>

using namespace gpucost;
using namespace gpucost::compare;

static constexpr const char *totalNames[] = {
    "time_ms",   "energy_j",      "avg_power_w", "gpu_busy_ms", "host_ms",
    "kernel_ms", "launches",      "flops",       "dram_bytes",  "clock_mhz",
    "mfu",       "samples_per_s", "tokens_per_s"};
static constexpr const char *memoryNames[] = {
    "parameter_bytes", "activation_bytes", "gradient_bytes",
    "optimizer_bytes", "workspace_bytes",  "peak_memory_bytes",
    "allocated_bytes", "reserved_bytes",   "device_bytes"};
static constexpr const char *betweenNames[] = {"gap_ms", "host_wait_ms",
                                               "exposed_communication_ms"};
/// Collectives overlap with other kernels: they contribute
/// `exposed_communication_ms`.
static constexpr llvm::StringLiteral communication = "communication";

std::optional<double> Change::difference() const {
  return before && after ? std::optional(*after - *before) : std::nullopt;
}

std::optional<double> Change::relative() const {
  std::optional<double> change = difference();
  if (!change)
    return std::nullopt;
  if (*before == 0)
    return *change == 0 ? std::optional(0.0) : std::nullopt;
  return *change / *before;
}

bool Comparison::isSame() const {
  auto differs = [](const Change &change) {
    return change.before != change.after;
  };
  return kernels.empty() && llvm::none_of(totals, differs) &&
         llvm::none_of(memory, differs) && llvm::none_of(between, differs);
}

static std::vector<Change> changesOf(llvm::ArrayRef<const char *> names,
                                     const ComparedReport &before,
                                     const ComparedReport &after) {
  std::vector<Change> changes;
  for (const char *name : names)
    if (before.value(name) || after.value(name))
      changes.push_back({name, before.value(name), after.value(name)});
  return changes;
}

/// Sums of kernels by `nameOf`, largest change of time first.
template <typename Name>
static std::vector<GroupChange> groupsOf(const ComparedReport &before,
                                         const ComparedReport &after,
                                         Name nameOf) {
  std::map<std::string, GroupChange> groups;
  auto add = [&](const ComparedReport &report,
                 std::optional<double> Change::*side) {
    for (const ComparedKernel &kernel : report.kernels) {
      GroupChange &group = groups[nameOf(kernel)];
      for (Change *change : {&group.timeUs, &group.energyJ, &group.launches}) {
        change->name = nameOf(kernel);
        for (auto each : {&Change::before, &Change::after})
          change->*each = (change->*each).value_or(0);
      }
      *(group.timeUs.*side) += kernel.totalUs();
      *(group.energyJ.*side) += kernel.totalJ();
      *(group.launches.*side) += static_cast<double>(kernel.count);
    }
  };
  add(before, &Change::before);
  add(after, &Change::after);
  std::vector<GroupChange> sorted;
  for (auto &[name, group] : groups)
    sorted.push_back(std::move(group));
  return sorted;
}

static void sortByChange(std::vector<GroupChange> &groups) {
  llvm::stable_sort(groups, [](const GroupChange &a, const GroupChange &b) {
    return std::fabs(*a.timeUs.difference()) >
           std::fabs(*b.timeUs.difference());
  });
}

/// Phases have separate totals, with gaps and waits, in ms.
static std::vector<GroupChange> phasesOf(const ComparedReport &before,
                                         const ComparedReport &after) {
  std::vector<GroupChange> phases;
  auto add = [&](const ComparedReport &report,
                 std::optional<double> Change::*side) {
    for (const ComparedPhase &phase : report.phases) {
      auto it = llvm::find_if(phases, [&](const GroupChange &each) {
        return each.timeUs.name == phase.name;
      });
      if (it == phases.end()) {
        Change none{phase.name, 0, 0};
        it = phases.insert(phases.end(), GroupChange{none, none, none});
      }
      it->timeUs.*side = phase.timeMs * 1e3;
      it->energyJ.*side = phase.energyJ;
      it->launches.*side = static_cast<double>(phase.kernels);
    }
  };
  add(before, &Change::before);
  add(after, &Change::after);
  return phases;
}

/// The term of the time that changed most: "dram term +12.0 us".
static std::string explainTerm(const ComparedKernel &before,
                               const ComparedKernel &after) {
  std::pair<const char *, double> terms[] = {
      {"compute", after.computeUs - before.computeUs},
      {"l2", after.l2Us - before.l2Us},
      {"dram", after.dramUs - before.dramUs},
      {"fixed", after.fixedUs - before.fixedUs}};
  auto *most = llvm::max_element(terms, [](const auto &a, const auto &b) {
    return std::fabs(a.second) < std::fabs(b.second);
  });
  if (most->second == 0)
    return "time per launch";
  return std::string(most->first) + " term " + (most->second > 0 ? "+" : "-") +
         siText(std::fabs(most->second) * 1e-6, "s");
}

/// The sizes that differ, "m 1024 -> 2048", for two problems of the same kind;
/// otherwise the complete shapes.
static std::string explainShape(llvm::StringRef before, llvm::StringRef after) {
  llvm::SmallVector<llvm::StringRef> old, now;
  before.split(old, ' ');
  after.split(now, ' ');
  std::vector<std::string> changes;
  bool alike = old.size() == now.size();
  for (size_t i = 0; alike && i < old.size(); ++i) {
    auto [oldName, oldSize] = old[i].split('=');
    auto [newName, newSize] = now[i].split('=');
    alike = oldName == newName;
    if (oldSize != newSize)
      changes.push_back((oldName + " " + oldSize + " -> " + newSize).str());
  }
  return printable(alike ? llvm::join(changes, ", ")
                         : ("shape " + before + " -> " + after).str());
}

static std::vector<std::string> explain(const ComparedKernel &before,
                                        const ComparedKernel &after) {
  std::vector<std::string> why;
  auto note = [&](const char *what, const std::string &old,
                  const std::string &now) {
    if (old == now)
      return false;
    auto shown = [](const std::string &text) {
      return text.empty() ? std::string("none") : printable(text);
    };
    why.push_back(std::string(what) + " " + shown(old) + " -> " + shown(now));
    return true;
  };
  auto tiling = [](const ComparedKernel &kernel) {
    return kernel.splitK > 1 ? kernel.tile + "/" + std::to_string(kernel.splitK)
                             : kernel.tile;
  };
  note("count", std::to_string(before.count), std::to_string(after.count));
  bool work = before.shape != after.shape;
  if (work)
    why.push_back(explainShape(before.shape, after.shape));
  work |= note("format", before.format, after.format);
  work |= note("tile", tiling(before), tiling(after));
  note("bound", before.bound, after.bound);
  if (!work && before.timeUs != after.timeUs)
    why.push_back(explainTerm(before, after));
  if (why.empty() && before.energyJ != after.energyJ)
    why.push_back("energy alone");
  return why;
}

static KernelChange changeOf(const ComparedKernel *before,
                             const ComparedKernel *after) {
  KernelChange change;
  if (before)
    change.before = *before;
  if (after)
    change.after = *after;
  if (before && after) {
    change.byCountUs =
        static_cast<double>(after->count - before->count) * before->timeUs;
    change.byLaunchUs =
        static_cast<double>(after->count) * (after->timeUs - before->timeUs);
    change.why = explain(*before, *after);
  } else {
    change.byCountUs = after ? after->totalUs() : -before->totalUs();
    change.why = {after ? "new" : "vanished"};
  }
  change.energyJ =
      (after ? after->totalJ() : 0) - (before ? before->totalJ() : 0);
  return change;
}

static bool differs(const KernelChange &change) {
  return change.timeUs() != 0 || change.energyJ != 0 || !change.why.empty();
}

static std::vector<TextChange>
textChanges(const std::map<std::string, std::string> &before,
            const std::map<std::string, std::string> &after) {
  std::map<std::string, TextChange> all;
  for (const auto &[name, text] : before)
    all[name] = {name, text, ""};
  for (const auto &[name, text] : after) {
    all[name].name = name;
    all[name].after = text;
  }
  std::vector<TextChange> changes;
  for (auto &[name, change] : all)
    if (change.before != change.after)
      changes.push_back(std::move(change));
  return changes;
}

static std::vector<std::string> without(const std::vector<std::string> &notes,
                                        const std::vector<std::string> &known) {
  std::set<std::string> set(known.begin(), known.end());
  std::vector<std::string> rest;
  llvm::copy_if(notes, std::back_inserter(rest),
                [&](const std::string &note) { return !set.count(note); });
  return rest;
}

Comparison compare::compareReports(ComparedReport before,
                                   ComparedReport after) {
  Comparison result;
  result.totals = changesOf(totalNames, before, after);
  result.memory = changesOf(memoryNames, before, after);
  result.between = changesOf(betweenNames, before, after);
  result.phases = phasesOf(before, after);
  auto computes = [](const ComparedReport &report) {
    ComparedReport part;
    llvm::copy_if(report.kernels, std::back_inserter(part.kernels),
                  [](const ComparedKernel &kernel) {
                    return kernel.phase != communication;
                  });
    return part;
  };
  result.families =
      groupsOf(computes(before), computes(after),
               [](const ComparedKernel &kernel) { return kernel.family; });
  result.ops = groupsOf(computes(before), computes(after),
                        [](const ComparedKernel &kernel) { return kernel.op; });
  for (std::vector<GroupChange> *groups :
       {&result.phases, &result.families, &result.ops})
    sortByChange(*groups);
  for (KernelPair pair : alignKernels(before.kernels, after.kernels)) {
    KernelChange change =
        changeOf(pair.before < 0 ? nullptr : &before.kernels[pair.before],
                 pair.after < 0 ? nullptr : &after.kernels[pair.after]);
    if (differs(change))
      result.kernels.push_back(std::move(change));
    else
      ++result.unchangedKernels;
  }
  llvm::stable_sort(result.kernels,
                    [](const KernelChange &a, const KernelChange &b) {
                      return std::fabs(a.timeUs()) > std::fabs(b.timeUs());
                    });
  result.settings = textChanges(before.settings, after.settings);
  for (auto [name, field] : {std::pair("model", &ComparedReport::model),
                             std::pair("target", &ComparedReport::target)})
    if (before.*field != after.*field)
      result.settings.insert(result.settings.begin(),
                             {name, before.*field, after.*field});
  result.coverage = textChanges(before.coverage, after.coverage);
  result.newNotes = without(after.notes, before.notes);
  result.goneNotes = without(before.notes, after.notes);
  result.before = std::move(before);
  result.after = std::move(after);
  return result;
}
