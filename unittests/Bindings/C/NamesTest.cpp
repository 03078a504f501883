//===- NamesTest.cpp - Enumerations through C -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include <cstring>
#include <set>

static std::string namesOf(uint32_t set) {
  std::string names;
  for (uint32_t i = 0; i < gpucostEnumEnd(set); ++i)
    if (const char *name = gpucostEnumName(set, i))
      names += (names.empty() ? "" : " ") + std::to_string(i) + ":" + name;
  return names;
}

/// An ABI: a value keeps its number. Later versions add at the end.
TEST(CNames, Values) {
  EXPECT_EQ(namesOf(GPUCOST_ENUM_STATUS),
            "0:ok 1:invalid_argument 2:not_found 3:unsupported 4:infeasible "
            "5:bad_data 6:io 7:out_of_memory 8:internal");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_FORMAT),
            "1:fp64 2:fp32 3:tf32 4:fp16 5:bf16 6:fp8 7:int8 8:int4 "
            "9:fp8-e5m2 10:mxfp8 11:mxfp4 12:nvfp4 13:fp8-block 14:mxfp6");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_FAMILY),
            "1:matmul 2:conv2d 3:attention 4:softmax 5:layernorm 6:elementwise "
            "7:collective");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_COLLECTIVE_OP),
            "1:all_reduce 2:all_gather 3:reduce_scatter 4:all_to_all "
            "5:broadcast 6:send_recv 7:to_host 8:from_host");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_ELEMENTWISE_OP),
            "1:add 2:mul 3:div 4:pow 5:addu 6:mulu 7:divu 8:powu 9:relu "
            "10:gelu 11:tanh 12:sigmoid 13:silu 14:exp 15:log 16:sqrt 17:rsqrt "
            "18:erf 19:trig 20:neg 21:compare 22:where 23:batch_norm 24:copy "
            "25:cast 26:dropout");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_BOUND),
            "0:unknown 1:tensor 2:fp32 3:issue 4:dram 5:l2 6:latency 7:power "
            "8:host 9:network");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_PHASE),
            "0:forward 1:backward 2:optimizer 3:communication");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_OPERAND_PATH), "0:auto 1:shared 2:cache");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_OBJECTIVE), "0:time 1:energy 2:energy_delay");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_ARCHITECTURE),
            "0:pascal 1:volta 2:turing 3:ampere 4:ada 5:hopper 6:blackwell "
            "7:cdna 8:cdna2 9:cdna3 10:cdna4");
  EXPECT_EQ(
      namesOf(GPUCOST_ENUM_SOFTWARE)
          .rfind("0:pytorch 1:vllm 2:sglang 3:tensorrt-llm 4:vllm-0.19 "
                 "5:sglang-0.5.6 6:sglang-0.5.9 7:sglang-0.5.10 "
                 "8:sglang-0.5.12 9:tensorrt-llm-1.2 10:tensorrt-llm-1.3rc10 "
                 "11:pytorch-2.7",
                 0),
      0u);
  EXPECT_EQ(namesOf(GPUCOST_ENUM_RUNTIME),
            "0:eager 1:cudagraph 2:compiled 3:as-written");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_ROW_FAMILY),
            "0:matmul 1:convolution 2:attention 3:softmax 4:normalization "
            "5:elementwise 6:reduction 7:data_movement 8:embedding 9:pooling "
            "10:optimizer 11:collective 12:opaque 13:linear_attention "
            "14:causal_convolution");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_COVERAGE),
            "0:modelled 1:fallback 2:unmodelled");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_INTERCONNECT), "0:pcie 1:nvlink 2:xgmi");
  EXPECT_EQ(namesOf(GPUCOST_ENUM_MATRIX_PATH), "0:mma 1:wgmma 2:tcgen05");
  EXPECT_EQ(namesOf(16), "");
}

TEST(CNames, Lookup) {
  uint32_t value = 99;
  EXPECT_EQ(gpucostEnumValue(GPUCOST_ENUM_ELEMENTWISE_OP, "gelu", &value),
            GPUCOST_OK);
  EXPECT_EQ(value, uint32_t(GPUCOST_GELU));
  EXPECT_EQ(gpucostEnumValue(GPUCOST_ENUM_FORMAT, "bf17", &value),
            GPUCOST_NOT_FOUND);
  EXPECT_STREQ(
      gpucostLastError(),
      "unknown name 'bf17', expected fp64, fp32, tf32, fp16, bf16, "
      "fp8, int8, int4, fp8-e5m2, mxfp8, mxfp4, nvfp4, fp8-block, mxfp6");
  EXPECT_EQ(value, uint32_t(GPUCOST_GELU));
  EXPECT_EQ(gpucostEnumValue(77, "x", &value), GPUCOST_NOT_FOUND);
  EXPECT_EQ(gpucostEnumValue(0, nullptr, &value), GPUCOST_INVALID_ARGUMENT);
}

TEST(CNames, Versions) {
  EXPECT_EQ(gpucostAbiVersion(), uint32_t(GPUCOST_ABI_VERSION));
  EXPECT_NE(std::string(gpucostVersion()), "");
  EXPECT_EQ(std::strlen(gpucostDataVersion()), 16u);
  EXPECT_EQ(gpucostPreparedVersion() >> 24, 5u);
}

TEST(CNames, Settings) {
  char *json = nullptr;
  size_t size = 0;
  ASSERT_EQ(gpucostSettings(&json, &size), GPUCOST_OK);
  std::string text(json, size);
  gpucostFree(json);
  EXPECT_EQ(text.front(), '[');
  for (const char *part :
       {"\"name\": \"power_limit\"", "\"flag\": \"power-limit\"",
        "\"type\": \"choice\"", "\"unit\": \"MHz\"", "\"training\"",
        "\"default\": \"inference\""})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

/// Long texts are cut between characters.
TEST(CNames, LongErrors) {
  std::string name;
  for (int i = 0; i < 600; ++i)
    name += "\xC3\xA9";
  uint32_t value;
  EXPECT_EQ(gpucostEnumValue(GPUCOST_ENUM_FORMAT, name.c_str(), &value),
            GPUCOST_NOT_FOUND);
  std::string text = gpucostLastError();
  EXPECT_LT(text.size(), 1024u);
  EXPECT_GT(text.size(), 1000u);
  EXPECT_EQ(text.substr(text.size() - 2), "\xC3\xA9");
}
