//===- CommandLine.cpp - Errors on the command line -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Output.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringSet.h"

using namespace gpucost;
using llvm::StringRef;
namespace cl = llvm::cl;

static bool isOwn(const cl::Option &option, const DriverOptions &options) {
  return llvm::any_of(option.Categories, [&](cl::OptionCategory *category) {
    return options.hasCategory(category);
  });
}

/// "; did you mean '--batch'?" if the name is close to one of our flags.
static std::string suggest(StringRef name, const DriverOptions &options) {
  std::vector<StringRef> names;
  for (auto &[known, option] : cl::getRegisteredOptions())
    if (isOwn(*option, options))
      names.push_back(known);
  return suggestFlag(name, names);
}

/// Error message for `value` of `flag`, which takes names; "" if the value is
/// one of them.
template <typename Case>
static std::string checkName(cl::opt<Case> &flag, StringRef value,
                             StringRef hidden = "") {
  auto &parser = flag.getParser();
  if (parser.findOption(value) != parser.getNumOptions())
    return "";
  std::vector<std::string_view> cases;
  for (unsigned i = 0; i < parser.getNumOptions(); ++i)
    if (parser.getOption(i) != hidden)
      cases.push_back(parser.getOption(i));
  return ("unknown value '" + value + "' of --" + flag.ArgStr + ", expected ")
             .str() +
         listAlternatives(cases);
}

/// Error message for the value of a flag that LLVM's parser reads.
static std::string checkValue(StringRef name, StringRef value,
                              DriverOptions &options) {
  std::string wrong;
  auto check = [&](auto &flag, StringRef hidden = "") {
    if (name == flag.ArgStr)
      wrong = checkName(flag, value, hidden);
  };
  check(options.emit, /*hidden=*/"import");
  check(options.groupBy);
  check(options.heat);
  check(options.traceLoops);
  check(options.color);
  check(options.printDocument);
  unsigned number;
  if ((name == options.top.ArgStr || name == options.tree.ArgStr ||
       name == options.width.ArgStr) &&
      value.getAsInteger(10, number))
    return ("--" + name + " expects a number, but got '" + value + "'").str();
  return wrong;
}

std::string gpucost::findMistake(llvm::ArrayRef<const char *> arguments,
                                 DriverOptions &options) {
  auto &known = cl::getRegisteredOptions();
  llvm::StringSet<> given;
  StringRef model;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "--")
      return "";
    if (argument == "-" || !argument.starts_with("-")) {
      // LLVM reads flags from a file of this name.
      if (argument.starts_with("@"))
        return "";
      if (!model.empty())
        return ("two models, '" + model + "' and '" + argument + "'; give one")
            .str();
      model = argument;
      continue;
    }
    auto [name, value] = argument.ltrim('-').split('=');
    auto it = known.find(name);
    if (it == known.end())
      return ("unknown flag '" + argument.split('=').first + "'").str() +
             suggest(name, options) + " (--help lists all)";
    cl::Option &option = *it->second;
    bool needsNext = !argument.contains('=') &&
                     option.getValueExpectedFlag() == cl::ValueRequired;
    if (needsNext && i + 1 == arguments.size())
      return ("--" + name + " needs a value").str();
    if (needsNext)
      value = arguments[++i];
    if (!isOwn(option, options))
      continue;
    if (!given.insert(name).second &&
        option.getNumOccurrencesFlag() != cl::ZeroOrMore)
      return ("--" + name + " is given twice").str();
    if (std::string wrong = checkValue(name, value, options); !wrong.empty())
      return wrong;
  }
  return "";
}
