//===- DataText.cpp - Target and coefficient files ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/DataText.h"
#include "gpucost/Core/Model/RecordTypes.h"
#include "gpucost/Core/Support/InputFile.h"
#include "gpucost/Core/Support/Nesting.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>

using namespace gpucost;

// Defined in lib/Core/Model/RecordTypes.cpp.
extern template const RecordType &gpucost::recordType<Gpu>();
extern template const RecordType &gpucost::recordType<Coefficients>();

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool isOfWord(char c) {
  return isLetter(c) || isDigit(c) || c == '.' || c == '$';
}

/// The value of a hexadecimal digit, else 16.
static unsigned hexDigit(char c) {
  size_t digit = std::string_view("0123456789abcdefABCDEF").find(c);
  return digit > 22 ? 16
                    : static_cast<unsigned>(digit > 15 ? digit - 6 : digit);
}

/// The type of `#gpucost.<mnemonic>`; null if there is none.
static const RecordType *findRecordType(std::string_view mnemonic) {
#define GROUP(Struct, mnemonic, doc) RECORD(Struct, mnemonic, doc)
#define SET(Struct, member, keyword, use)
#include "gpucost/Core/Support/RecordsOnly.inc"
#define RECORD(Struct, mnemonic, doc) recordType<Struct>,
  static constexpr const RecordType &(*types[])() = {
      recordType<InstructionTable>,
#include "gpucost/Core/Model/Coefficients.def"
#include "gpucost/Core/Model/Gpu.def"
  };
#include "gpucost/Core/Support/EndRecords.inc"
#undef GROUP
#undef SET
  for (auto type : types)
    if (type().mnemonic == mnemonic)
      return &type();
  return nullptr;
}

namespace {
/// Tokens of a data file.
class DataParser : public RecordSource {
public:
  DataParser(std::string_view text, std::string_view name)
      : begin(text.data()), at(begin), end(begin + text.size()), name(name) {}

  bool parseFile(DataFile &data);
  const std::string &error() const { return message; }

  Place here() override;
  bool fail(Place place, const std::string &what) override;
  bool optionalWord(std::string_view &word) override;
  bool optionalText(std::string &text) override;
  bool integer(int64_t &value) override;
  bool number(double &value) override;
  bool equals() override { return expect('='); }
  bool list(bool isRecord, const std::function<bool()> &item) override;
  bool optionalWhole(WholeRecord &record) override;

private:
  struct Named {
    std::string_view name;
    WholeRecord record;
    size_t values; ///< number of fields and elements
  };

  bool isNext(char c) { return here() != end && *at == c; }
  bool consume(char c);
  bool expect(char c);
  bool expectWord(std::string_view word);
  bool expectHash(std::string_view &word);
  bool parseList(char close, const std::function<bool()> &item);
  bool parseName();
  std::string_view numberToken();
  bool countValues(size_t more);

  const char *begin, *at, *end;
  std::string_view name;
  std::string message;
  std::vector<Named> names;
  std::vector<std::shared_ptr<void>> records;
  size_t values = 0;
  bool isRecordOfFile = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

RecordSource::Place DataParser::here() {
  while (at != end) {
    if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
      ++at;
    else if (end - at > 1 && at[0] == '/' && at[1] == '/')
      at = std::find(at, end, '\n');
    else
      break;
  }
  return at;
}

bool DataParser::fail(Place place, const std::string &what) {
  if (!message.empty())
    return false;
  auto line = std::count(begin, place, '\n') + 1;
  const char *start = place;
  while (start != begin && start[-1] != '\n')
    --start;
  message = concat(name, ":", line, ":", place - start + 1, ": ", what);
  return false;
}

bool DataParser::consume(char c) {
  bool isThere = isNext(c);
  at += isThere ? 1 : 0;
  return isThere;
}

bool DataParser::expect(char c) {
  return consume(c) ||
         fail(here(), concat("expected '", std::string(1, c), "'"));
}

bool DataParser::optionalWord(std::string_view &word) {
  const char *start = here();
  if (start == end || !isLetter(*start))
    return false;
  at = std::find_if_not(start, end, isOfWord);
  word = {start, static_cast<size_t>(at - start)};
  return true;
}

bool DataParser::expectWord(std::string_view word) {
  const char *start = here();
  std::string_view found;
  return (optionalWord(found) && found == word) ||
         fail(start, concat("expected '", word,
                            "': a target or coefficient file is one module of "
                            "gpucost attributes, without other MLIR"));
}

bool DataParser::optionalText(std::string &text) {
  std::string_view word;
  if (optionalWord(word)) {
    text = word;
    return true;
  }
  const char *start = at;
  if (!consume('"'))
    return false;
  text.clear();
  while (at != end && *at != '"' && *at != '\n') {
    char c = *at++;
    if (c == '\\' && at != end) {
      unsigned high = hexDigit(*at++);
      c = at[-1];
      if (c == 'n' || c == 't') {
        c = c == 'n' ? '\n' : '\t';
      } else if (c != '"' && c != '\\') {
        unsigned low = at != end ? hexDigit(*at++) : 16;
        if (high > 15 || low > 15)
          return fail(start, "unknown escape in a string");
        c = static_cast<char>(high << 4 | low);
      }
    }
    text += c;
  }
  if (at == end || *at != '"')
    return fail(start, "expected '\"' at the end of a string");
  ++at;
  return true;
}

std::string_view DataParser::numberToken() {
  const char *start = here(), *next = start;
  auto skipDigits = [&] { next = std::find_if_not(next, end, isDigit); };
  next += next != end && *next == '-' ? 1 : 0;
  if (next == end || !isDigit(*next))
    return {};
  skipDigits();
  if (next != end && *next == '.') {
    ++next;
    skipDigits();
  }
  if (next != end && (*next == 'e' || *next == 'E')) {
    const char *exponent = next++;
    next += next != end && (*next == '-' || *next == '+') ? 1 : 0;
    if (next != end && isDigit(*next))
      skipDigits();
    else
      next = exponent;
  }
  at = next;
  return {start, static_cast<size_t>(next - start)};
}

bool DataParser::integer(int64_t &value) {
  const char *start = here();
  return parseInteger(numberToken(), value) ||
         fail(start, "expected an integer");
}

bool DataParser::number(double &value) {
  const char *start = here();
  return parseNumber(numberToken(), value) || fail(start, "expected a number");
}

//===----------------------------------------------------------------------===//
// Lists and records
//===----------------------------------------------------------------------===//

/// An alias takes one line but may represent many values, so the total size of
/// nested lists of aliases is limited.
bool DataParser::countValues(size_t more) {
  constexpr size_t most = 1000000;
  values += more;
  return values <= most || fail(at, "more than a million values");
}

bool DataParser::parseList(char close, const std::function<bool()> &item) {
  if (consume(close))
    return true;
  do
    if (!countValues(1) || !item())
      return false;
  while (consume(','));
  return consume(close) ||
         fail(here(), concat("expected ',' or '", std::string(1, close), "'"));
}

bool DataParser::list(bool isRecord, const std::function<bool()> &item) {
  bool isFile = std::exchange(isRecordOfFile, false);
  return expect(isFile     ? '{'
                : isRecord ? '<'
                           : '[') &&
         parseList(isFile     ? '}'
                   : isRecord ? '>'
                              : ']',
                   item);
}

bool DataParser::expectHash(std::string_view &word) {
  const char *start = here();
  if (!expect('#'))
    return false;
  at =
      std::find_if_not(at, end, [](char c) { return isOfWord(c) || c == '-'; });
  word = {start + 1, static_cast<size_t>(at - start - 1)};
  return !word.empty() || fail(start, "expected a name after '#'");
}

bool DataParser::optionalWhole(WholeRecord &record) {
  if (!isNext('#'))
    return true;
  const char *start = at;
  std::string_view word;
  if (!expectHash(word))
    return false;
  for (const Named &known : names)
    if (known.name == word) {
      record = known.record;
      return countValues(known.values);
    }
  constexpr std::string_view prefix = "gpucost.";
  record.type = word.substr(0, prefix.size()) == prefix
                    ? findRecordType(word.substr(prefix.size()))
                    : nullptr;
  if (!record.type)
    return fail(start, concat("unknown record '#", word, "'"));
  records.push_back(record.type->create());
  record.value = records.back().get();
  return readRecord(*this, *record.type, records.back().get());
}

bool DataParser::parseName() {
  const char *start = here();
  Named named{};
  if (!expectHash(named.name))
    return false;
  bool isKnown =
      std::any_of(names.begin(), names.end(),
                  [&](const Named &each) { return each.name == named.name; });
  if (isKnown || named.name.find('.') != std::string_view::npos)
    return fail(start, concat(isKnown ? "duplicate name '#"
                                      : "expected a name "
                                        "without '.', "
                                        "but got '#",
                              named.name, "'"));
  size_t before = values;
  if (!expect('='))
    return false;
  const char *value = here();
  if (!optionalWhole(named.record))
    return false;
  if (!named.record.type)
    return fail(value, "expected a record, '#gpucost.gpu<...>' or another");
  named.values = values - before;
  names.push_back(named);
  return true;
}

bool DataParser::parseFile(DataFile &data) {
  while (isNext('#'))
    if (!parseName())
      return false;
  if (!expectWord("module"))
    return false;
  if (!isNext('{')) {
    isRecordOfFile = true;
    if (!expectWord("attributes") ||
        !readRecord(*this, recordType<DataFile>(), &data))
      return false;
  }
  if (!expect('{'))
    return false;
  if (!isNext('}'))
    return fail(at, "expected '}': a target or coefficient file has no ops");
  ++at;
  return here() == end || fail(at, "expected the end of the file");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Expected<DataFile> gpucost::parseDataFile(std::string_view text,
                                          std::string_view name) {
  if (std::optional<TextPlace> place =
          findDeepNesting(text, NestedSyntax::Mlir))
    return gpucost::fail(concat(name, ":", place->line, ":", place->column,
                                ": ", deepNestingText()));
  DataFile data;
  DataParser parser(text, name);
  if (!parser.parseFile(data))
    return gpucost::fail(parser.error());
  if (data.defaultFormat && !(data.gpu && data.gpu->find(*data.defaultFormat)))
    return gpucost::fail(
        concat(name,
               ": expected 'gpucost.default_format' to be a format of "
               "the GPU, but got '",
               stringifyNumericFormat(*data.defaultFormat), "'"));
  return data;
}

Expected<DataFile> gpucost::readDataFile(const std::string &path) {
  Expected<std::string> text = readInput(path, mostBytesOfText);
  return text ? parseDataFile(*text, path) : gpucost::fail(text.error());
}

NumericFormat gpucost::defaultFormatOf(const DataFile &data) {
  if (data.defaultFormat)
    return *data.defaultFormat;
  for (NumericFormat format : {NumericFormat::BF16, NumericFormat::FP16})
    if (data.gpu->find(format))
      return format;
  return NumericFormat::FP32;
}

std::vector<std::string_view> gpucost::scanAliases(std::string_view text) {
  std::vector<std::string_view> aliases;
  size_t at =
      text.find('[', std::min(text.find("gpucost.aliases"), text.size()));
  std::string_view list = text.substr(std::min(at, text.size()));
  list = list.substr(0, list.find(']'));
  while (true) {
    size_t open = list.find('"');
    size_t close =
        open == std::string_view::npos ? open : list.find('"', open + 1);
    if (close == std::string_view::npos)
      return aliases;
    aliases.push_back(list.substr(open + 1, close - open - 1));
    list.remove_prefix(close + 1);
  }
}
