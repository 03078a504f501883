//===- ProfileTest.cpp - Traces and tables --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/Profile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::transfer;

static Profile read(llvm::StringRef text, int64_t iterations = 1) {
  ProfileOptions options;
  options.iterations = iterations;
  llvm::Expected<Profile> profile = readProfile(text, "f", options);
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return {};
}

static std::string errorOf(llvm::StringRef text, int64_t iterations = 1) {
  ProfileOptions options;
  options.iterations = iterations;
  llvm::Expected<Profile> profile = readProfile(text, "f", options);
  return profile ? "" : llvm::toString(profile.takeError());
}

/// An event of a trace.
static std::string event(const std::string &category, const std::string &name,
                         double start, double time,
                         const std::string &args = "") {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name +
         R"(", "ts": )" + std::to_string(start) + R"(, "dur": )" +
         std::to_string(time) + R"(, "args": {)" + args + "}}";
}

static std::string trace(const std::vector<std::string> &events) {
  std::string text =
      R"({"deviceProperties": [{"id": 0, "name": "GPU 0"}], "traceEvents": [)";
  for (size_t i = 0; i < events.size(); ++i)
    text += (i ? ", " : "") + events[i];
  return text + "]}";
}

TEST(KernelNames, LibrariesNameTheirFamilies) {
  auto family = [](const char *name) { return familyOfName(name); };
  EXPECT_EQ(family("ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_"
                   "tn"),
            KernelFamily::Matmul);
  EXPECT_EQ(family("nvjet_hsh_128x256_64x4_2x1_v_bz_TNT"),
            KernelFamily::Matmul);
  EXPECT_EQ(family("sm80_xmma_fprop_implicit_gemm_f16f16"),
            KernelFamily::Convolution);
  EXPECT_EQ(family("void pytorch_flash::flash_fwd_kernel<...>"),
            KernelFamily::Attention);
  EXPECT_EQ(family("void at::native::vectorized_layer_norm_kernel<float>"),
            KernelFamily::Normalization);
  EXPECT_EQ(family("void cunn_SoftMaxForward<4, float>"),
            KernelFamily::Softmax);
  EXPECT_EQ(family("void at::native::unrolled_elementwise_kernel<at::native::"
                   "direct_copy_kernel_cuda"),
            KernelFamily::DataMovement);
  for (const char *name :
       {"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>",
        "multimem_all_reduce_kernel"})
    EXPECT_EQ(family(name), KernelFamily::Collective);
  EXPECT_EQ(family("ncclDevKernel_AllReduce_Sum_bf16_RING_LL"),
            KernelFamily::Collective);
  EXPECT_EQ(family("my_kernel"), std::nullopt);
  // The op has the family if the kernel does not.
  EXPECT_EQ(familyOfName("my_kernel", "aten::addmm"), KernelFamily::Matmul);
}

TEST(KernelNames, TilesStandInNames) {
  EXPECT_EQ(tileOfName("ampere_sgemm_128x64_tn"), "128x64");
  EXPECT_EQ(tileOfName("cutlass_80_tensorop_s16816gemm_256x128_32x3_nn"),
            "256x128");
  EXPECT_EQ(tileOfName("vectorized_elementwise_kernel<4>"), "");
  EXPECT_EQ(tileOfName("mma16x8x8"), ""); // an instruction
}

TEST(KinetoTrace, StepsAreMedians) {
  // Kernel a takes 10, 12 and 20 us, b 5, 5 and 6 us; steps begin 100 us apart,
  // and a second kernel c runs in the last one only.
  std::vector<std::string> events;
  double a[] = {10, 12, 20}, b[] = {5, 5, 6};
  for (int step = 0; step < 3; ++step) {
    double t = 100.0 * step;
    events.push_back(event("user_annotation",
                           "ProfilerStep#" + std::to_string(step), t, 90));
    events.push_back(event("kernel", "a", t + 1, a[step], "\"device\": 0"));
    events.push_back(event("kernel", "b", t + 40, b[step], "\"device\": 0"));
  }
  Profile all = read(trace(events));
  EXPECT_EQ(all.device, "GPU 0");
  EXPECT_TRUE(all.isTrace);
  EXPECT_EQ(all.iterations, 3);
  ASSERT_EQ(all.kernels.size(), 2u);
  EXPECT_DOUBLE_EQ(all.kernels[0].timeUs, 12);
  EXPECT_DOUBLE_EQ(all.kernels[1].timeUs, 5);
  // 100 us from start to start; 10 + 5, 12 + 5, 20 + 6 us are busy.
  EXPECT_DOUBLE_EQ(all.iterationUs, 100);
  EXPECT_DOUBLE_EQ(all.idleUs, 83);
  events.push_back(event("kernel", "c", 260, 1, "\"device\": 0"));
  Profile alike = read(trace(events));
  EXPECT_EQ(alike.iterations, 2);
  EXPECT_DOUBLE_EQ(alike.kernels[0].timeUs, 11);
}

TEST(KinetoTrace, KernelsBelongToTheStepThatLaunchedThem) {
  // The kernel of step 0 runs while the host is in step 1.
  std::string text = trace(
      {event("user_annotation", "ProfilerStep#0", 0, 10),
       event("user_annotation", "ProfilerStep#1", 10, 10),
       event("cpu_op", "aten::mm", 1, 2, "\"External id\": 5"),
       event("cuda_runtime", "cudaLaunchKernel", 2, 1, "\"correlation\": 7"),
       event("cuda_runtime", "cudaLaunchKernel", 12, 1, "\"correlation\": 8"),
       event("kernel", "k", 15, 4, "\"correlation\": 7, \"External id\": 5"),
       event("kernel", "k", 22, 4, "\"correlation\": 8, \"External id\": 6")});
  Profile profile = read(text);
  EXPECT_EQ(profile.iterations, 2);
  ASSERT_EQ(profile.kernels.size(), 1u);
  EXPECT_EQ(profile.kernels[0].op, "aten::mm");
  EXPECT_EQ(profile.kernels[0].family, KernelFamily::Matmul);
  EXPECT_DOUBLE_EQ(profile.iterationUs, 7); // from 15 to 22
}

TEST(KinetoTrace, WithoutStepsTheNumberSaysHowMany) {
  std::vector<std::string> events;
  for (int i = 0; i < 6; ++i)
    events.push_back(event("Kernel", i % 2 ? "b" : "a", 10.0 * i, 4));
  EXPECT_EQ(read(trace(events), 3).kernels.size(), 2u);
  EXPECT_EQ(read(trace(events)).kernels.size(), 6u);
  EXPECT_NE(errorOf(trace(events), 4).find("6 kernels are not 4 times"),
            std::string::npos);
}

TEST(KinetoTrace, SplitProductsAreOneKernel) {
  Profile profile =
      read(trace({event("kernel", "ampere_sgemm_128x64_tn", 0, 9),
                  event("kernel", "splitKreduce_kernel", 10, 2)}));
  ASSERT_EQ(profile.kernels.size(), 1u);
  EXPECT_DOUBLE_EQ(profile.kernels[0].timeUs, 11);
}

TEST(KinetoTrace, TheBusiestDeviceCounts) {
  Profile profile = read(trace({event("kernel", "a", 0, 9, "\"device\": 1"),
                                event("kernel", "b", 1, 2, "\"device\": 0")}));
  ASSERT_EQ(profile.kernels.size(), 1u);
  EXPECT_EQ(profile.kernels[0].name, "a");
  EXPECT_EQ(profile.device, "");
}

TEST(KinetoTrace, OverlapIsBusyOnce) {
  // 0 to 10 and 5 to 12 on two streams: 12 us, none of them idle.
  Profile profile =
      read(trace({event("kernel", "a", 0, 10), event("kernel", "b", 5, 7)}));
  EXPECT_DOUBLE_EQ(profile.iterationUs, 12);
  EXPECT_DOUBLE_EQ(profile.idleUs, 0);
}

TEST(KinetoTrace, CollectivesHideOrAreExposed) {
  // Computation from 0 to 10 and from 16 to 20; a collective from 5 to 14: 4 us
  // of the 6 us without computation.
  Profile profile =
      read(trace({event("kernel", "a", 0, 10),
                  event("kernel", "ncclDevKernel_AllReduce", 5, 9),
                  event("kernel", "b", 16, 4)}));
  EXPECT_DOUBLE_EQ(profile.iterationUs, 20);
  EXPECT_DOUBLE_EQ(profile.idleUs, 6);
  EXPECT_DOUBLE_EQ(profile.exposedUs, 4);
}

/// `text` as one member of a gzipped file, without compression.
static std::string gzipped(const std::string &text) {
  auto bytes = [](uint32_t value, int count) {
    std::string all;
    for (int i = 0; i < count; ++i)
      all.push_back(static_cast<char>(value >> (8 * i)));
    return all;
  };
  auto size = static_cast<uint32_t>(text.size());
  return std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01", 11) + bytes(size, 2) +
         bytes(~size, 2) + text +
         bytes(llvm::crc32(llvm::arrayRefFromStringRef(text)), 4) +
         bytes(size, 4);
}

TEST(Profile, MembersOfAGzippedFile) {
  std::string text = trace({event("kernel", "a", 0, 10)});
  size_t half = text.size() / 2;
  std::string members =
      gzipped(text.substr(0, half)) + gzipped(text.substr(half));
  for (const std::string &file : {members, members + std::string(512, '\0')}) {
    Profile profile = read(file);
    ASSERT_EQ(profile.kernels.size(), 1u);
    EXPECT_EQ(profile.kernels[0].name, "a");
  }
  for (const std::string &file :
       {members + "more", members.substr(0, members.size() - 9)})
    EXPECT_EQ(errorOf(file), "'f': the gzipped file is damaged or cut");
}

TEST(Profile, MistakesAreOneDiagnostic) {
  EXPECT_NE(errorOf(trace({event("cpu_op", "aten::mm", 0, 1)}))
                .find("'f': the trace has no kernels of a GPU"),
            std::string::npos);
  EXPECT_EQ(errorOf("{}"), "'f': no trace of the PyTorch profiler: it has no "
                           "'traceEvents'");
  EXPECT_EQ(errorOf(std::string(1000000, '[')),
            "'f': line 1, column 251: JSON is nested more than 250 deep");
  EXPECT_EQ(errorOf("\x1f\x8b broken"),
            "'f': the gzipped file is damaged or cut");
  EXPECT_NE(errorOf("").find("'f': the file is empty"), std::string::npos);
  EXPECT_NE(errorOf("a,b\n1,2\n").find("no CSV table with the columns"),
            std::string::npos);
  EXPECT_EQ(errorOf("name,time_us\nx,-1\n"),
            "'f': line 2: 'time_us' expects a number above 0, but got '-1'");
  EXPECT_EQ(errorOf("name,time_us,count\nx,1,0\n"),
            "'f': line 2: 'count' expects a whole number of at least 1, but "
            "got '0'");
  EXPECT_EQ(errorOf("name,time_us\n"), "'f': the table has no measured row");
}

TEST(Profile, TablesOfMeasurementsAreRead) {
  Profile profile = read("# gpu: x\nfamily,op,shape,dtype,time_us,status\n"
                         "matmul,linear,m=1 n=2 k=3,bf16,4.5,ok\n"
                         "# resumed\n"
                         "softmax,,rows=1 cols=2,bf16,,oom\n");
  ASSERT_EQ(profile.kernels.size(), 1u);
  EXPECT_FALSE(profile.isTrace);
  EXPECT_EQ(profile.kernels[0].family, KernelFamily::Matmul);
  EXPECT_EQ(profile.kernels[0].shape, "m=1 n=2 k=3");
  EXPECT_DOUBLE_EQ(profile.kernels[0].timeUs, 4.5);
  EXPECT_EQ(profile.kernels[0].count, 0);
}
