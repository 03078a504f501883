//===- PageTest.cpp - JSON as a page --------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A separate program whose files replace the ones that the build embeds.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Report/Page.h"
#include "PageFiles.h"
#include "gpucost/Core/Support/JsonStream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpucost;
using testing::HasSubstr;
using testing::Not;

static bool hasLibrary = true;

Span<PageFile> gpucost::pageFiles() {
  static constexpr PageFile all[] = {{"page.css", "p { color: red }\n"},
                                     {"a.js", "first();\n"},
                                     {"b.js", "second();\n"},
                                     {"d3.js", "library();"},
                                     {"d3.license", "free & <open>"}};
  static constexpr PageFile without[] = {{"page.css", ""}, {"a.js", ""}};
  return hasLibrary ? Span<PageFile>(all) : Span<PageFile>(without);
}

static std::string page(std::string_view title, std::string_view json) {
  hasLibrary = true;
  Expected<std::string> made = makePage(PageKind::Sweep, title, json);
  EXPECT_TRUE(bool(made));
  return made ? *made : std::string();
}

TEST(Page, HoldsDataLibraryAndScripts) {
  std::string text = page("a title", "{\"n\": 1}");
  EXPECT_THAT(text, HasSubstr("<title>a title</title>"));
  EXPECT_THAT(text, HasSubstr("id=\"data\" data-kind=\"sweep\">\n{\"n\": 1}"
                              "</script>"));
  EXPECT_THAT(text, HasSubstr("<style>\np { color: red }\n</style>"));
  EXPECT_THAT(text, HasSubstr("<script>\nlibrary();\n</script>"));
  EXPECT_THAT(text, HasSubstr("<script>\nfirst();\nsecond();\n</script>"));
  EXPECT_THAT(text, HasSubstr("free &amp; &lt;open></template>"));
  EXPECT_THAT(text, HasSubstr("content=\"default-src 'none';"));
}

TEST(Page, NoDataEndsItsElement) {
  std::string text = page("</title><script>", "{\"n\": \"</script><!--\"}");
  EXPECT_THAT(text, HasSubstr("&lt;/title>&lt;script>"));
  EXPECT_THAT(text, HasSubstr("{\"n\": \"\\u003c/script>\\u003c!--\"}"));
  EXPECT_THAT(text, Not(HasSubstr("<!--")));
}

TEST(Page, LongTitlesAreCutBetweenCharacters) {
  std::string letters;
  for (int i = 0; i < 1000; ++i)
    letters += "\xC3\xA4";
  EXPECT_LT(page("x" + letters, "{}").size(), 1500u);
  EXPECT_EQ(toUtf8(page("x" + letters, "{}")), page("x" + letters, "{}"));
}

TEST(Page, NeedsTheLibrary) {
  hasLibrary = false;
  Expected<std::string> made = makePage(PageKind::Report, "", "{}");
  ASSERT_FALSE(bool(made));
  EXPECT_EQ(made.error().message,
            "this build has no pages: it found no D3 5 (Debian's package "
            "node-d3); install it and build again, or set GPUCOST_D3");
}
