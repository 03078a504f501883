//===- Page.h - JSON as a page that people look at --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file of HTML that holds the data of a report, its scripts and the chart
// library D3 with its licence: a browser opens it from disk and loads nothing
// else. The scripts are in lib/Core/Report/Page.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_PAGE_H
#define GPUCOST_CORE_REPORT_PAGE_H

#include "gpucost/Core/Support/Expected.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpucost {

/// What the data of a page is: a JSON report, points of a sweep, a comparison,
/// the answer of `optimize`.
enum class PageKind { Report, Sweep, Comparison, Optimum };

/// The kind of a name ("report", ...); nullopt for none.
std::optional<PageKind> pageKindOf(std::string_view name);

/// Points that a browser plots and lists without delay.
inline constexpr int64_t mostPointsOfPage = 20'000;

/// The page that shows `json`, the text of one JSON value. `title` is that of
/// the browser's window. An error where the build found no D3.
Expected<std::string> makePage(PageKind kind, std::string_view title,
                               std::string_view json);

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_PAGE_H
