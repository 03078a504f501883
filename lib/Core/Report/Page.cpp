//===- Page.cpp - HTML pages from JSON ------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Report/Page.h"
#include "PageFiles.h"
#include "gpucost/Core/Support/JsonStream.h"

using namespace gpucost;

static std::string_view nameOf(PageKind kind) {
  switch (kind) {
  case PageKind::Report:
    return "report";
  case PageKind::Sweep:
    return "sweep";
  case PageKind::Comparison:
    return "comparison";
  case PageKind::Optimum:
    return "optimum";
  case PageKind::Deployment:
    return "deployment";
  case PageKind::Generation:
    return "generation";
  }
  return "";
}

std::optional<PageKind> gpucost::pageKindOf(std::string_view name) {
  for (PageKind kind :
       {PageKind::Report, PageKind::Sweep, PageKind::Comparison,
        PageKind::Optimum, PageKind::Deployment, PageKind::Generation})
    if (nameOf(kind) == name)
      return kind;
  return std::nullopt;
}

/// Escapes the text of an element.
static std::string escapeText(std::string_view text) {
  std::string result;
  for (char c : toUtf8(text)) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else if (static_cast<unsigned char>(c) >= ' ')
      result += c;
  }
  return result;
}

/// Escapes JSON so that an HTML parser does not find the end of the element in
/// it: '<' occurs only in strings.
static std::string escapeJson(std::string_view json) {
  std::string result;
  result.reserve(json.size() + json.size() / 64);
  for (char c : json) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

/// Prevents loading of resources, for any data.
static constexpr std::string_view policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src "
    "'unsafe-inline'; img-src data:";

/// Maximum length of a window title.
static constexpr size_t mostTitle = 200;

Expected<std::string> gpucost::makePage(PageKind kind, std::string_view title,
                                        std::string_view json) {
  std::string style, scripts, library, license;
  for (const PageFile &file : pageFiles()) {
    std::string_view name = file.name;
    if (name == "d3.js")
      library = file.content;
    else if (name == "d3.license")
      license = file.content;
    else if (name.substr(name.rfind('.')) == ".css")
      style += file.content;
    else
      scripts += file.content;
  }
  if (library.empty())
    return fail("this build has no pages: it found no D3 5 (Debian's package "
                "node-d3); install it and build again, or set GPUCOST_D3");
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                     "<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"";
  page += policy;
  page += "\">\n<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
          "dark\">\n<title>";
  page += escapeText(title.substr(0, mostTitle));
  page += "</title>\n<style>\n" + style + "</style>\n</head>\n<body>\n";
  page += "<noscript>This page draws its charts with JavaScript; its data is "
          "JSON, at the end of the file.</noscript>\n";
  page += "<main id=\"page\"></main>\n<template id=\"license\">";
  page += escapeText(license);
  page += "</template>\n<script type=\"application/json\" id=\"data\" "
          "data-kind=\"";
  page += nameOf(kind);
  page += "\">\n" + escapeJson(json) + "</script>\n<script>\n";
  page += library;
  page += "\n</script>\n<script>\n" + scripts + "</script>\n</body>\n</html>\n";
  return page;
}
