//===- DetailFields.cpp - The details of a report in JSON -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DetailFields.h"
#include "gpucost/Report/Groups.h"

using namespace gpucost;

/// A member with many whole numbers, on one line.
template <typename List, typename Get>
static void column(JsonStream &j, std::string_view name, const List &list,
                   Get get) {
  std::string text = "[";
  for (const auto &each : list) {
    if (text.size() > 1)
      text += ',';
    text += std::to_string(get(each));
  }
  j.key(name);
  j.rawValue(text + ']');
}

static void writeTime(JsonStream &j, const KernelDetails &kernel) {
  auto us = [&](std::string_view name, Seconds time) {
    j.number(name, time.value() * 1e6);
  };
  us("compute_us", kernel.compute);
  us("l2_us", kernel.l2);
  us("issue_us", kernel.issue);
  us("rows_us", kernel.rows);
  us("dram_us", kernel.dram);
  us("power_roof_us", kernel.powerRoof);
  j.number("norm", kernel.norm);
  us("exposed_us", kernel.exposed);
  us("serial_us", kernel.serial);
  us("fixed_us", kernel.fixed);
}

static void writeEnergy(JsonStream &j, const KernelDetails &kernel) {
  j.number("idle_j", kernel.idle.value());
  j.number("tensor_j", kernel.tensor.value());
  j.number("fp32_j", kernel.fp32.value());
  j.number("instructions_j", kernel.instructions.value());
  j.number("sm_cycles_j", kernel.smCycles.value());
  j.number("l2_j", kernel.l2Access.value());
  j.number("dram_j", kernel.dramAccess.value());
}

template <typename Rate>
static void writeRoofs(JsonStream &j, std::string_view name,
                       const std::vector<std::pair<std::string, Rate>> &roofs) {
  j.attributeObject(name, [&] {
    for (const auto &[key, rate] : roofs)
      j.number(key, rate.value());
  });
}

void gpucost::writeDetails(JsonStream &j, const IterationDetails &details) {
  j.number("idle_power_w", details.idlePower.value());
  j.attribute("sms", details.smCount);
  writeRoofs(j, "peaks_flops_per_s", details.peaks);
  writeRoofs(j, "l2_bytes_per_s", details.l2Bandwidths);
  j.attributeArray("coefficients", [&] {
    for (const CoefficientSource &group : details.coefficients)
      j.object([&] {
        j.attribute("name", group.name);
        j.attribute("meaning", group.meaning);
        j.attribute("provenance", group.provenance);
        j.attribute("transferred_from", group.transferredFrom);
      });
  });
  j.attributeArray("kernels", [&] {
    for (const KernelDetails &kernel : details.kernels)
      j.object([&] {
        j.number("dram_bytes", kernel.dramBytes);
        j.number("l2_bytes", kernel.l2Bytes);
        j.attributeObject("time", [&] { writeTime(j, kernel); });
        j.attributeObject("energy", [&] { writeEnergy(j, kernel); });
        column(j, "coefficients", kernel.coefficients,
               [](uint32_t group) { return group; });
      });
  });
  j.attributeArray("nodes", [&] {
    for (const std::string &node : details.nodes)
      j.value(node);
  });
  j.attributeArray("scopes", [&] {
    for (const std::string &scope :
         scopesOf(details.nodes, details.nodeWeights))
      j.value(scope);
  });
  j.attributeObject("launches", [&] {
    const std::vector<LaunchSite> &sites = details.launches;
    column(j, "kernel", sites, [](const LaunchSite &s) { return s.kernel; });
    column(j, "node", sites, [](const LaunchSite &s) { return s.node; });
    column(j, "count", sites, [](const LaunchSite &s) { return s.count; });
    column(j, "live_bytes", sites,
           [](const LaunchSite &s) { return s.liveBytes; });
  });
}
