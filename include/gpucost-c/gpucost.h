/*===- gpucost.h - Time, power and energy of GPU kernels, for C ----*- C
-*-===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The cost model of gpu-cost-opt in a process: single kernels, schedules of  *|
|* kernels, and whole iterations prepared by `gpu-cost-opt prepare`. It needs *|
|* neither LLVM nor other files: targets and coefficients are compiled in.    *|
|* docs/CLibrary.md is the guide; docs/CostModel.md has the equations.        *|
|*                                                                            *|
|* Rules for all functions:                                                   *|
|*                                                                            *|
|*   Units      SI: seconds, hertz, watts, joules, bytes, FLOP (2 per         *|
|*              multiply-add). Unknown values are NaN, never 0.               *|
|*   Errors     Functions return a status; gpucostLastError() returns the     *|
|*              message, one per thread. On error, outputs are unchanged.     *|
|*   Structs    begin with `size`. Set it to sizeof of the struct and every   *|
|*              other byte to 0, which means the default (GPUCOST_INIT does   *|
|*              both). Later versions add fields at the end; older programs   *|
|*              keep working. If an older library lacks a field that a newer  *|
|*              program sets, it returns GPUCOST_UNSUPPORTED. The library     *|
|*              does not write beyond `size`.                                 *|
|*   Threads    Any number may use one model, prepared model, placed model or *|
|*              report; only one thread at a time may use a cache. Results do *|
|*              not depend on the number of threads.                          *|
|*   Strings    are null-terminated UTF-8. A `const char *` in a struct       *|
|*              belongs to the library or to the handle that returned it.     *|
|*   Handles    are freed by the function of their kind, which accepts NULL.  *|
|*              A placed model keeps its prepared model and its model alive.  *|
|*   Exceptions never leave the library, and it does not abort.               *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef GPUCOST_C_GPUCOST_H
#define GPUCOST_C_GPUCOST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(GPUCOST_C_STATIC) || !defined(__GNUC__)
#define GPUCOST_API
#else
#define GPUCOST_API __attribute__((visibility("default")))
#endif

/** Sets a struct of this library to its defaults. */
#define GPUCOST_INIT(object)                                                   \
  (memset(&(object), 0, sizeof(object)),                                       \
   (void)((object).size = (uint32_t)sizeof(object)))

/*===----------------------------------------------------------------------===*\
|* Versions                                                                   *|
\*===----------------------------------------------------------------------===*/

/** Version of this header. The number grows with additions; programs that were
    compiled against a smaller one keep working. An incompatible change changes
    the name of the library (libgpucost.so.1). */
#define GPUCOST_ABI_VERSION 6

/** GPUCOST_ABI_VERSION of the loaded library. */
GPUCOST_API uint32_t gpucostAbiVersion(void);
/** "0.1.0": the release. Predictions may differ between releases. */
GPUCOST_API const char *gpucostVersion(void);
/** Identifies the compiled-in targets and coefficients: 16 hexadecimal digits,
    equal if all of them are equal. */
GPUCOST_API const char *gpucostDataVersion(void);
/** Version of prepared models (.gco) that this library writes and reads. Other
    versions cannot be read: prepare again from the model file. */
GPUCOST_API uint32_t gpucostPreparedVersion(void);

/*===----------------------------------------------------------------------===*\
|* Errors                                                                     *|
\*===----------------------------------------------------------------------===*/

typedef enum gpucostStatus {
  GPUCOST_OK = 0,
  /** A null pointer, a number out of range, or contradictory sizes. */
  GPUCOST_INVALID_ARGUMENT = 1,
  /** No target, set of coefficients or enumerator of that name. */
  GPUCOST_NOT_FOUND = 2,
  /** The GPU or its coefficients lack facts that the kernel requires, or a
      field is unknown to this library. */
  GPUCOST_UNSUPPORTED = 3,
  /** The schedule cannot run. */
  GPUCOST_INFEASIBLE = 4,
  /** Bytes that are not a prepared model or target, are damaged, or have
      another version. */
  GPUCOST_BAD_DATA = 5,
  /** A file cannot be read or written. */
  GPUCOST_IO = 6,
  GPUCOST_OUT_OF_MEMORY = 7,
  /** A defect of this library. */
  GPUCOST_INTERNAL = 8
} gpucostStatus;

/** Error message of the last failed function in this thread; "" if none failed.
    Valid until the next call in this thread. */
GPUCOST_API const char *gpucostLastError(void);
/** Frees memory that a function has returned in a `char **` or `void **`. */
GPUCOST_API void gpucostFree(void *memory);

/*===----------------------------------------------------------------------===*\
|* Enumerations. Numbers of values never change; later versions add values.   *|
\*===----------------------------------------------------------------------===*/

/** Number formats; matrix kernels are dense. */
typedef enum gpucostFormat {
  /** In structs: the model's format. */
  GPUCOST_FORMAT_DEFAULT = 0,
  /* utils/check_formats.py writes the lines up to the count. */
  /** No coefficients: for devices only. */
  GPUCOST_FP64 = 1,
  /** CUDA cores. */
  GPUCOST_FP32 = 2,
  GPUCOST_TF32 = 3,
  GPUCOST_FP16 = 4,
  GPUCOST_BF16 = 5,
  /** E4M3. */
  GPUCOST_FP8 = 6,
  GPUCOST_INT8 = 7,
  /** For weights only. */
  GPUCOST_INT4 = 8,
  /** E5M2. */
  GPUCOST_FP8E5M2 = 9,
  /** A scale per 32 elements. */
  GPUCOST_MXFP8 = 10,
  /** A scale per 32 elements. */
  GPUCOST_MXFP4 = 11,
  /** A scale per 16 elements. */
  GPUCOST_NVFP4 = 12,
  /** A scale per 128 elements, or 128 x 128 of a weight. */
  GPUCOST_FP8BLOCK = 13,
  /** A scale per 32 elements. */
  GPUCOST_MXFP6 = 14
} gpucostFormat;
#define GPUCOST_FORMAT_COUNT 15

/** Kernel families that can be queried, as with `--kernel`
    (docs/KernelQueries.md). */
typedef enum gpucostFamily {
  GPUCOST_MATMUL = 1,
  GPUCOST_CONV2D = 2,
  GPUCOST_ATTENTION = 3, /**< fused; decoding if `q_len` is 1 */
  GPUCOST_SOFTMAX = 4,
  GPUCOST_LAYERNORM = 5,
  GPUCOST_ELEMENTWISE = 6,
  GPUCOST_COLLECTIVE = 7
} gpucostFamily;

typedef enum gpucostCollectiveOp {
  GPUCOST_ALL_REDUCE = 1,
  GPUCOST_ALL_GATHER = 2,
  GPUCOST_REDUCE_SCATTER = 3,
  GPUCOST_ALL_TO_ALL = 4,
  GPUCOST_BROADCAST = 5,
  GPUCOST_SEND_RECV = 6,
  GPUCOST_TO_HOST = 7, /**< only in models */
  GPUCOST_FROM_HOST = 8
} gpucostCollectiveOp;

/** `...U`: the other operand is a scalar. */
typedef enum gpucostElementwiseOp {
  GPUCOST_ADD = 1,
  GPUCOST_MUL = 2,
  GPUCOST_DIV = 3,
  GPUCOST_POW = 4,
  GPUCOST_ADDU = 5,
  GPUCOST_MULU = 6,
  GPUCOST_DIVU = 7,
  GPUCOST_POWU = 8,
  GPUCOST_RELU = 9,
  GPUCOST_GELU = 10,
  GPUCOST_TANH = 11,
  GPUCOST_SIGMOID = 12,
  GPUCOST_SILU = 13,
  GPUCOST_EXP = 14,
  GPUCOST_LOG = 15,
  GPUCOST_SQRT = 16,
  GPUCOST_RSQRT = 17,
  GPUCOST_ERF = 18,
  GPUCOST_TRIG = 19,
  GPUCOST_NEG = 20,
  GPUCOST_COMPARE = 21,
  GPUCOST_WHERE = 22,
  GPUCOST_BATCH_NORM = 23,
  GPUCOST_COPY = 24,
  GPUCOST_CAST = 25,
  GPUCOST_DROPOUT = 26
} gpucostElementwiseOp;

/** Resource with the largest part of the time. */
typedef enum gpucostBound {
  GPUCOST_BOUND_UNKNOWN = 0,
  GPUCOST_BOUND_TENSOR = 1,
  GPUCOST_BOUND_FP32 = 2,
  GPUCOST_BOUND_ISSUE = 3,
  GPUCOST_BOUND_DRAM = 4,
  GPUCOST_BOUND_L2 = 5,
  GPUCOST_BOUND_LATENCY = 6,
  GPUCOST_BOUND_POWER = 7,
  GPUCOST_BOUND_HOST = 8,
  GPUCOST_BOUND_NETWORK = 9 /**< links between GPUs or nodes */
} gpucostBound;

typedef enum gpucostPhase {
  GPUCOST_FORWARD = 0,
  GPUCOST_BACKWARD = 1,
  GPUCOST_OPTIMIZER = 2,
  GPUCOST_COMMUNICATION = 3
} gpucostPhase;

/** In schedules: operand path through shared memory or the cache. */
typedef enum gpucostOperandPath {
  GPUCOST_PATH_AUTO = 0,
  GPUCOST_PATH_SHARED = 1,
  GPUCOST_PATH_CACHE = 2
} gpucostOperandPath;

/** Quantity that the best schedule minimizes. */
typedef enum gpucostObjective {
  GPUCOST_LEAST_TIME = 0,
  GPUCOST_LEAST_ENERGY = 1,
  GPUCOST_LEAST_ENERGY_DELAY = 2
} gpucostObjective;

/** Sets of names for gpucostEnumName and gpucostEnumValue. */
typedef enum gpucostEnum {
  GPUCOST_ENUM_STATUS = 0,         /**< gpucostStatus */
  GPUCOST_ENUM_FORMAT = 1,         /**< gpucostFormat */
  GPUCOST_ENUM_FAMILY = 2,         /**< gpucostFamily */
  GPUCOST_ENUM_COLLECTIVE_OP = 3,  /**< gpucostCollectiveOp */
  GPUCOST_ENUM_ELEMENTWISE_OP = 4, /**< gpucostElementwiseOp */
  GPUCOST_ENUM_BOUND = 5,          /**< gpucostBound */
  GPUCOST_ENUM_PHASE = 6,          /**< gpucostPhase */
  GPUCOST_ENUM_OPERAND_PATH = 7,   /**< gpucostOperandPath */
  GPUCOST_ENUM_OBJECTIVE = 8,      /**< gpucostObjective */
  GPUCOST_ENUM_ARCHITECTURE = 9,   /**< `gpucostDevice::architecture` */
  GPUCOST_ENUM_SOFTWARE = 10,      /**< `gpucostModelOptions::software` */
  GPUCOST_ENUM_RUNTIME = 11,       /**< `gpucostRun::runtime` */
  GPUCOST_ENUM_ROW_FAMILY = 12,    /**< `gpucostKernelRow::family` */
  GPUCOST_ENUM_COVERAGE = 13,      /**< `gpucostKernelRow::coverage` */
  GPUCOST_ENUM_INTERCONNECT = 14,  /**< `gpucostDevice::interconnect` */
  GPUCOST_ENUM_MATRIX_PATH = 15    /**< `gpucostDevice::matrix_path` */
} gpucostEnum;

/** The name of a value as printed by the tool ("bf16", "all_reduce"); NULL for
    a value without a name. Calling it for 0, 1, ... lists a set; some sets
    begin at 1. */
GPUCOST_API const char *gpucostEnumName(uint32_t set, uint32_t value);
/** One more than the largest value of a set; 0 for an unknown set. */
GPUCOST_API uint32_t gpucostEnumEnd(uint32_t set);
/** The value called `name`. */
GPUCOST_API gpucostStatus gpucostEnumValue(uint32_t set, const char *name,
                                           uint32_t *value);

/*===----------------------------------------------------------------------===*\
|* Targets: compiled-in GPUs and coefficients                                 *|
\*===----------------------------------------------------------------------===*/

/** Facts of a board from its datasheet or a device query. The comments state
    which fields may be 0. */
typedef struct gpucostDevice {
  uint32_t size;
  /** GPUCOST_ENUM_ARCHITECTURE. */
  uint32_t architecture;
  const char *name; /**< of the board: "a100-sxm-80gb"; NULL: "device" */
  const char *die;  /**< "GA100"; NULL: the name */
  /** "hbm2e", "gddr6": the kind of DRAM. */
  const char *memory;
  double compute_capability; /**< 9.0; 0: unknown */
  int64_t sm_count;
  /** Special-function results per clock and SM. */
  int64_t special_per_clock;
  double max_clock; /**< highest SM clock, Hz */
  /** Clock of the datasheet's peaks, Hz; 0: `max_clock`. */
  double boost_clock;
  /** Lowest SM clock that the driver offers, Hz; 0: `max_clock`. */
  double min_clock;
  /** Step between the clocks from `min_clock` to `max_clock`, Hz; 0: only these
      two. */
  double clock_step;
  /** Dense FLOP per clock and SM, by gpucostFormat; 0: unsupported. FP32 means
      CUDA cores. Formats numbered 8 or higher are in `more_flops_per_clock`. */
  double flops_per_clock[8];
  /** Rate of warp-level matrix instructions relative to the peaks; 0: 1. */
  double warp_matrix_share;
  double dram_bandwidth;   /**< bytes per second */
  double dram_capacity;    /**< bytes */
  double l2_capacity;      /**< bytes */
  uint32_t l2_partitioned; /**< 1: two partitions, about half is useful */
  /** Boards per node; 0: unknown. */
  uint32_t gpus_per_node;
  /** Bytes that a framework reserves for matrix libraries. */
  double library_workspace;
  double power_limit; /**< of the board as shipped, W */

  /** Capacities of one SM, for schedules; `sm_registers` 0: unknown, so
      schedules are unsupported. */
  int64_t sm_registers;           /**< of 32 bits */
  double sm_shared_memory;        /**< bytes, total of the resident CTAs */
  double cta_shared_memory;       /**< maximum bytes per CTA */
  double reserved_shared_memory;  /**< bytes per CTA, for the system */
  int64_t sm_threads;             /**< maximum resident threads */
  int64_t sm_ctas;                /**< maximum resident CTAs */
  int64_t sm_partitions;          /**< each with a scheduler */
  int64_t cache_bytes_per_clock;  /**< loads that hit in L1 */
  int64_t shared_bytes_per_clock; /**< loads from shared memory */
  uint32_t texture_loads;         /**< 1: global loads use the texture path */
  uint32_t matrix_path;           /**< GPUCOST_ENUM_MATRIX_PATH */
  int64_t cluster_ctas;           /**< maximum per cluster; 0: 1 */

  /** Link between the GPUs of a node; bandwidth 0: unknown. */
  uint32_t interconnect; /**< GPUCOST_ENUM_INTERCONNECT */
  uint32_t interconnect_generation;
  double interconnect_bandwidth; /**< bytes per second, both directions */

  /** `flops_per_clock` of the formats numbered 8 or higher, by gpucostFormat -
      8. */
  double more_flops_per_clock[8];
  /** Total that CUDA reports, bytes; 0: `dram_capacity`. */
  double reported_memory;
} gpucostDevice;

/** A compiled-in target. */
typedef struct gpucostTargetInfo {
  uint32_t size;
  uint32_t default_format; /**< gpucostFormat */
  const char *name;        /**< "a100-sxm-80gb" */
  const char *die;
  const char *const *aliases; /**< "a100", "NVIDIA A100-SXM4-80GB" */
  size_t alias_count;
  const uint32_t *formats; /**< gpucostFormat */
  size_t format_count;
  /** Documents that state the facts of the device. */
  const char *const *sources;
  size_t source_count;
  /** Set of coefficients, for gpucostCoefficientGroup. */
  const char *coefficients;
  /** "tensor_gemm from L40S, ...": coefficients that were measured on another
      die; "" if there are none. */
  const char *transferred;
} gpucostTargetInfo;

/** A group of fitted coefficients and the measurements behind it. */
typedef struct gpucostGroupInfo {
  uint32_t size;
  uint32_t reserved;
  const char *name; /**< "tensor_gemm" */
  /** Measurements, GPU, framework, CUDA and library versions of the fit. */
  const char *provenance;
  const char
      *transferred_from; /**< die on which it was measured instead, or "" */
} gpucostGroupInfo;

GPUCOST_API size_t gpucostTargetCount(void);
/** The target with this index, in the order of names. */
GPUCOST_API gpucostStatus gpucostTargetGet(size_t index,
                                           gpucostTargetInfo *info);
/** The index of the target with this name or alias, with or without a format
    ("a100-bf16"). */
GPUCOST_API gpucostStatus gpucostTargetFind(const char *name, size_t *index);
/** The facts of a target, for modification and use with
    gpucostModelCreateForDevice. */
GPUCOST_API gpucostStatus gpucostTargetDevice(const char *name,
                                              gpucostDevice *device);

GPUCOST_API size_t gpucostCoefficientSetCount(void);
/** Name of a set ("a100-sxm-80gb"); NULL beyond the last one. */
GPUCOST_API const char *gpucostCoefficientSetName(size_t index);
/** Group `index` of a set; GPUCOST_NOT_FOUND beyond the last one. */
GPUCOST_API gpucostStatus gpucostCoefficientGroup(const char *set, size_t index,
                                                  gpucostGroupInfo *info);

/*===----------------------------------------------------------------------===*\
|* Models: a GPU with its coefficients                                        *|
\*===----------------------------------------------------------------------===*/

typedef struct gpucostModel gpucostModel;

typedef struct gpucostModelOptions {
  uint32_t size;
  /** Framework whose attention kernels run: GPUCOST_ENUM_SOFTWARE. For kernel
      queries; a prepared model states its software. */
  uint32_t software;
  /** Set of coefficients; NULL: the target's. */
  const char *coefficients;
  /** `--interconnect`: "nvlink4" or "NAME:GB/s:us"; NULL: the target's. */
  const char *interconnect;
  /** `--network`: the name of a system, a file, or "GB/s:us"; NULL: none. */
  const char *network;
} gpucostModelOptions;

/** The model of `target`: "a100-bf16", "h100-sxm-80gb"; without a format the
    target's default. `options` may be NULL. */
GPUCOST_API gpucostStatus gpucostModelCreate(const char *target,
                                             const gpucostModelOptions *options,
                                             gpucostModel **model);
/** The model of a custom GPU, from datasheet facts and the coefficients of the
    nearest GPU (`options->coefficients`, required). Unless the coefficients
    were fitted to `device->die`, predictions count as outside the calibrated
    domain. */
GPUCOST_API gpucostStatus gpucostModelCreateForDevice(
    const gpucostDevice *device, uint32_t format,
    const gpucostModelOptions *options, gpucostModel **model);
/** The model of a target file in the binary form that gpucostCompileTarget of
    gpucost-mlir.h or `gpu-cost-opt prepare TARGET.mlir` writes. `format` may be
    0. `options->coefficients`, if given, replace the file's coefficients. */
GPUCOST_API gpucostStatus gpucostModelCreateFromBytes(
    const void *bytes, size_t size, uint32_t format,
    const gpucostModelOptions *options, gpucostModel **model);
GPUCOST_API void gpucostModelFree(gpucostModel *model);

/** The facts of the model's GPU; texts belong to `model`. */
GPUCOST_API gpucostStatus gpucostModelDevice(const gpucostModel *model,
                                             gpucostDevice *device);
/** gpucostFormat of the matrix kernels. */
GPUCOST_API uint32_t gpucostModelFormat(const gpucostModel *model);

/*===----------------------------------------------------------------------===*\
|* Kernels                                                                    *|
\*===----------------------------------------------------------------------===*/

typedef struct gpucostMatmul {
  /** Independent products; 0: 1. */
  int64_t batch;
  int64_t m, n, k;
  /** 1: B is a weight matrix; 2: it is an activation; 0: it is a weight matrix
      if `batch` is 1. */
  int64_t linear;
  /** 1: blocks of A and B have scales. */
  int64_t block_scaled;
} gpucostMatmul;

/** NCHW; square stride and padding. */
typedef struct gpucostConv2d {
  int64_t n, c, h, w, oc, kh, kw;
  int64_t stride; /**< 0: 1 */
  int64_t pad;
  int64_t groups; /**< 0: 1 */
} gpucostConv2d;

typedef struct gpucostAttention {
  int64_t batch; /**< 0: 1 */
  int64_t heads;
  int64_t kv_heads; /**< 0: `heads` */
  int64_t q_len, kv_len, head_dim;
  int64_t causal; /**< 0 or 1 */
  int64_t window; /**< keys that a query sees; 0: all */
  /** gpucostFormat of keys and values; 0: that of the kernel. */
  int64_t kv_format;
  /** Tokens of each of the documents that share a sequence; 0: one document. */
  int64_t document;
} gpucostAttention;

/** Softmax and layer normalization. */
typedef struct gpucostRows {
  int64_t rows, cols;
} gpucostRows;

typedef struct gpucostElementwise {
  int64_t op; /**< gpucostElementwiseOp */
  int64_t elements;
  /** Number of tensors read; 0: the op's default. */
  int64_t inputs;
  int64_t strided; /**< 1: a broadcast or permuted operand */
} gpucostElementwise;

typedef struct gpucostCollective {
  int64_t op; /**< gpucostCollectiveOp */
  int64_t gpus;
  /** 0: those of the network if it is a named system, else 1; several need
      `gpucostModelOptions::network` */
  int64_t nodes;
  /** Number of such collectives that share a node's network; 0: 1. */
  int64_t groups;
  /** As in nccl-tests: the size of the buffer that each GPU receives
      (all-reduce, all-gather, broadcast), starts with (reduce-scatter),
      exchanges or sends. */
  int64_t message_bytes;
  /** Rows of a token in an all-to-all of experts that sends them to a node
     once; 0: it sends each row. */
  int64_t choices;
  int64_t node_limit; /**< nodes among which a token chooses; 0: all */
} gpucostCollective;

/** One kernel: 144 bytes without padding, so that arrays of them are columns of
    numbers. Sizes are 1 to 2^40. */
typedef struct gpucostKernel {
  uint32_t size;
  uint32_t family; /**< gpucostFamily */
  uint32_t format; /**< gpucostFormat; 0: the model's */
  uint32_t reserved;
  /** The member for `family`; the remaining words are 0. */
  union {
    gpucostMatmul matmul;
    gpucostConv2d conv2d;
    gpucostAttention attention;
    gpucostRows rows;
    gpucostElementwise elementwise;
    gpucostCollective collective;
    int64_t words[16];
  } problem;
} gpucostKernel;

/** Circumstances in which a kernel runs. */
typedef enum gpucostProtocol {
  /** Inside a model: one clock for all kernels. */
  GPUCOST_ITERATION = 0,
  /** Repeated back to back, without other kernels. */
  GPUCOST_BENCHMARK = 1
} gpucostProtocol;

/** How kernels run; the fields are columns of docs/KernelQueries.md. */
typedef struct gpucostQuery {
  uint32_t size;
  uint32_t protocol;  /**< gpucostProtocol */
  double clock;       /**< of the SMs, Hz; 0: the GPU's maximum */
  double power_limit; /**< of the board, W; 0: the GPU's */
  /** Bytes that other kernels touch between two uses of the operands; 0: the
      operands are cold. */
  double reuse_bytes;
  /* Only for benchmarks: */
  double
      toggle_rate; /**< toggles per operand bit, at most 2; 0: 1, random data */
  double burst;    /**< length of the timed burst, s; 0: steady state */
  double warm_up;  /**< time for which the kernel ran before, s */
  double cache_share;   /**< cached share of the keys and values that decode
                           reads; 0: 1 */
  uint32_t cache_write; /**< 1: attention also appends to a cache */
  uint32_t reserved;
} gpucostQuery;

/** Cost of one launch. Embedded in other structs, so its fields never
    change. */
typedef struct gpucostCost {
  uint32_t size;
  uint32_t bound; /**< gpucostBound */
  double time;    /**< s */
  /** 80 % half-width: the measured time lies within [t / (1 + h), t (1 + h)];
      NaN: unknown. */
  double half_width;
  /* Parts of `time`; they overlap, so `time` is not their sum. */
  double compute, l2, dram, fixed; /**< s */
  double power;                    /**< W */
  double energy;                   /**< J */
  double clock;                    /**< Hz */
  /* Exact counts of the problem. */
  int64_t flops; /**< matrix products and others, 2 per multiply-add */
  int64_t bytes; /**< every operand and result once */
  /* Events that consume energy. */
  double tensor_flops; /**< in bf16 equivalents */
  double fp32_flops, instructions;
  double dram_bytes,
      l2_bytes; /**< DRAM traffic after L2; traffic between L2 and SMs */
  /* The tiling; 0 for kernels without tiles. */
  int32_t tile_m, tile_n, split_k, ctas_per_sm;
  int64_t ctas, waves;
  double sm_utilization; /**< busy fraction of the SMs, 0..1 */
  /** 0: outside the calibrated domain. */
  uint32_t in_calibrated_domain;
  uint32_t throttled; /**< 1: the power limit lowered the clock */
  /** 1: even the lowest clock exceeds the limit; `time` is a lower bound. */
  uint32_t limit_unreachable;
  /** For gpucostEstimateMany: gpucostStatus of this kernel. */
  uint32_t status;
} gpucostCost;

/** One kernel. `query` may be NULL. */
GPUCOST_API gpucostStatus gpucostEstimate(const gpucostModel *model,
                                          const gpucostKernel *kernel,
                                          const gpucostQuery *query,
                                          gpucostCost *cost);
/** Arrays of kernels: element i begins i * `..._stride` bytes after the first
    one; a stride of 0 means the `size` of the first one. Repeated kernels are
    computed once. If a kernel fails, the others are still computed; its
    `status` is the error and its numbers are NaN. The function returns the
    status of the first such kernel and sets its error message. The `size` of
    the first element applies to all. */
GPUCOST_API gpucostStatus gpucostEstimateMany(
    const gpucostModel *model, const gpucostKernel *kernels,
    size_t kernel_stride, size_t count, const gpucostQuery *query,
    gpucostCost *costs, size_t cost_stride);

/** Caches a model's results for one query; the model may be freed first. */
typedef struct gpucostCache gpucostCache;
GPUCOST_API gpucostStatus gpucostCacheCreate(const gpucostModel *model,
                                             const gpucostQuery *query,
                                             gpucostCache **cache);
GPUCOST_API void gpucostCacheFree(gpucostCache *cache);
/** gpucostEstimateMany that reuses results of earlier calls. The cache grows
    with each new kernel. */
GPUCOST_API gpucostStatus gpucostCacheEstimateMany(
    gpucostCache *cache, const gpucostKernel *kernels, size_t kernel_stride,
    size_t count, gpucostCost *costs, size_t cost_stride);
/** Number of distinct kernels in the cache. */
GPUCOST_API size_t gpucostCacheSize(const gpucostCache *cache);

/*===----------------------------------------------------------------------===*\
|* Schedules of matmuls, convolutions, attention and memory-bound kernels     *|
\*===----------------------------------------------------------------------===*/

/** Compiler decisions for a kernel; 0: the model chooses. Embedded in other
    structs, so its fields never change. docs/KernelQueries.md lists the fields
    of each kernel family. */
typedef struct gpucostSchedule {
  uint32_t size;
  int32_t tile_m, tile_n, tile_k; /**< of a workgroup (CTA) and a K step */
  int32_t split_k;                /**< workgroups that share a tile's K range */
  int32_t stages;                 /**< K steps buffered in shared memory */
  int32_t warps;                  /**< subgroups (warps) per workgroup */
  int32_t ctas_per_sm; /**< maximum workgroups (CTAs) on a compute unit (SM) */
  int32_t cluster;     /**< workgroups per cluster */
  int32_t thread_tile_m, thread_tile_n; /**< results per thread */
  int32_t vector_m, vector_n;           /**< elements per load */
  int32_t stage_a, stage_b;             /**< gpucostOperandPath */
  int32_t copy_m,
      copy_n; /**< threads along the tile edge that stage the operand */
  int32_t reserved;
} gpucostSchedule;

/** Why a schedule cannot run. */
typedef enum gpucostFault {
  GPUCOST_FEASIBLE = 0,
  GPUCOST_FAULT_UNKNOWN = 1, /**< a field that the model cannot choose is 0 */
  GPUCOST_FAULT_TILE_SHAPE = 2,
  GPUCOST_FAULT_THREAD_GRID = 3,
  GPUCOST_FAULT_VECTOR = 4,
  GPUCOST_FAULT_COPY = 5,
  GPUCOST_FAULT_THREADS = 6,
  GPUCOST_FAULT_REGISTERS = 7,
  GPUCOST_FAULT_SHARED_MEMORY = 8,
  GPUCOST_FAULT_CTAS_PER_SM = 9,
  GPUCOST_FAULT_CLUSTER = 10,
  GPUCOST_FAULT_SPLIT_K = 11,
  GPUCOST_FAULT_NOT_OF_STREAMS = 12,
  GPUCOST_FAULT_NOT_OF_ATTENTION = 13
} gpucostFault;

typedef struct gpucostScheduleCost {
  uint32_t size;
  uint32_t fault; /**< gpucostFault */
  /** Complete: all fields are set. If it cannot run, as far as it was
      completed. */
  gpucostSchedule schedule;
  /** NaN if the schedule cannot run. */
  gpucostCost cost;
  double threads;      /**< per CTA */
  double registers;    /**< per thread, as allocated */
  double spilled;      /**< spilled registers per thread */
  double shared_bytes; /**< per CTA */
  double ctas_per_sm;  /**< resident CTAs */
  /** 1: measured schedules for this kind of kernel and architecture validate
      the order. */
  uint32_t order_validated;
  uint32_t reserved;
  /** Why it cannot run. If it can: the choice of the library that makes it over
      5 % faster than the library's kernel, or another remark; "" if there is
      none. At most 255 bytes; gpucostScheduleReason returns all of them. */
  char reason[256];
} gpucostScheduleCost;

/** Costs of `count` schedules of one kernel. A schedule that cannot run is a
    result (`fault`, `reason`), not an error. GPUCOST_UNSUPPORTED if schedules
    are not supported for the kernel (collectives, depthwise convolutions). */
GPUCOST_API gpucostStatus gpucostEstimateSchedules(
    const gpucostModel *model, const gpucostKernel *kernel,
    const gpucostQuery *query, const gpucostSchedule *schedules,
    size_t schedule_stride, size_t count, gpucostScheduleCost *costs,
    size_t cost_stride);
/** The complete `reason` of one schedule, for gpucostFree. `size`, without the
    null byte, may be NULL. */
GPUCOST_API gpucostStatus gpucostScheduleReason(const gpucostModel *model,
                                                const gpucostKernel *kernel,
                                                const gpucostQuery *query,
                                                const gpucostSchedule *schedule,
                                                char **reason, size_t *size);

typedef struct gpucostGoal {
  uint32_t size;
  uint32_t objective; /**< gpucostObjective */
  double time_limit;  /**< longer schedules are excluded, s; 0: no limit */
} gpucostGoal;

/** The best schedules in `space`, best first: at most `*count`, which is set to
    their number. Without a space (NULL, 0) the model generates candidates for
    the fields of `fixed` that are 0. `fixed` and `goal` may be NULL. */
GPUCOST_API gpucostStatus gpucostTopSchedules(
    const gpucostModel *model, const gpucostKernel *kernel,
    const gpucostQuery *query, const gpucostSchedule *fixed,
    const gpucostSchedule *space, size_t schedule_stride, size_t space_count,
    const gpucostGoal *goal, gpucostScheduleCost *costs, size_t cost_stride,
    size_t *count);
/** The model's candidates: at most `*count`, which is set to their number;
    `schedules` may be NULL to query it. */
GPUCOST_API gpucostStatus gpucostScheduleCandidates(
    const gpucostModel *model, const gpucostKernel *kernel,
    const gpucostSchedule *fixed, gpucostSchedule *schedules,
    size_t schedule_stride, size_t *count);
/** The order of `count` variants of one kernel by predicted time, best first,
    and which of them are worth measuring.
      times            s; NaN or infinity: cannot run, not in the order
      half_widths      relative, of the 80 % intervals: time_high / time - 1;
                       NaN or NULL: unknown, not told apart from any other
      confidence       probability, 0.5 to 1, to tell two variants apart; 0: 0.8
      order, groups    arrays of `count`; `ranked` entries are set: the index of
                       a variant, and its group from 0; a group ends before the
                       first variant that is told apart from its best one
      worth_measuring  how many of the first may be the fastest: group 0 */
GPUCOST_API gpucostStatus gpucostRank(const gpucostModel *model,
                                      const double *times,
                                      const double *half_widths, size_t count,
                                      double confidence, size_t *order,
                                      size_t *groups, size_t *ranked,
                                      size_t *worth_measuring);

/*===----------------------------------------------------------------------===*\
|* Prepared models: the kernels of an iteration                               *|
\*===----------------------------------------------------------------------===*/

/** The result of `gpu-cost-opt prepare` or gpucostPrepareOnnx: dimensions,
    mode, format and parallelism are fixed; GPU, clock, limits and host are
    not. */
typedef struct gpucostPrepared gpucostPrepared;

GPUCOST_API gpucostStatus gpucostPreparedLoad(const void *bytes, size_t size,
                                              gpucostPrepared **prepared);
GPUCOST_API gpucostStatus gpucostPreparedLoadFile(const char *path,
                                                  gpucostPrepared **prepared);
GPUCOST_API void gpucostPreparedFree(gpucostPrepared *prepared);
/** The bytes from which `prepared` was loaded; they belong to it. */
GPUCOST_API gpucostStatus gpucostPreparedBytes(const gpucostPrepared *prepared,
                                               const void **bytes,
                                               size_t *size);

typedef struct gpucostPreparedInfo {
  uint32_t size;
  uint32_t format;         /**< gpucostFormat for which it was prepared */
  const char *model;       /**< name of the file */
  const char *precision;   /**< description of the casts */
  uint32_t training;       /**< 1: a training step */
  uint32_t world_size;     /**< GPUs that run the iteration */
  int64_t kernels;         /**< distinct kernels */
  int64_t launches;        /**< per iteration and GPU */
  int64_t samples, tokens; /**< of all GPUs; 0: unknown */
  int64_t parameter_count; /**< weights of the whole model */
  int64_t parameter_bytes; /**< on each GPU */
} gpucostPreparedInfo;

GPUCOST_API gpucostStatus gpucostPreparedGetInfo(
    const gpucostPrepared *prepared, gpucostPreparedInfo *info);

/** A prepared model on a GPU. */
typedef struct gpucostPlaced gpucostPlaced;

/** Chooses the kernels of `prepared` on the GPU of `model`. Fails if the model
    has another format, or if the settings do not fit the GPU. */
GPUCOST_API gpucostStatus gpucostPlace(const gpucostPrepared *prepared,
                                       const gpucostModel *model,
                                       gpucostPlaced **placed);
GPUCOST_API void gpucostPlacedFree(gpucostPlaced *placed);

/** How the iteration runs. */
typedef struct gpucostRun {
  uint32_t size;
  /** Value of GPUCOST_ENUM_RUNTIME plus 1; 0: as prepared. */
  uint32_t runtime;
  double clock;       /**< of the SMs, Hz; 0: as prepared */
  double power_limit; /**< of the board, W; 0: as prepared */
  /** Host time per launch, s; 0: as prepared; negative: none. */
  double host_launch;
  /** Time between two iterations, s; 0: as prepared; negative: none. Since
      version 2. */
  double step_gap;
} gpucostRun;

/** One iteration on each of `world_size` GPUs; SI units. */
/* gpucostTotals: written by utils/python_bindings.py. */
typedef struct gpucostTotals {
  uint32_t size;
  /** gpucostBound, resource with the largest part of the time. */
  uint32_t bound;
  /** s, wall-clock time: kernels, gaps, waits for the host and exposed
      communication; equals the sum over phases, except with a pipeline; NaN:
      no kernel is known. */
  double time;
  /** s, kernels and gaps of all phases except communication. */
  double gpu_busy;
  /** s, time that the host needs to launch the kernels; it overlaps with the
      GPU. */
  double host;
  /** J, energy of the GPU board; equals the sum over phases, except with a
      pipeline. */
  double energy;
  /** W, energy / time. */
  double power;
  /** W, of the board. */
  double power_limit;
  /** Hz, SM clock. */
  double clock;
  /** 80 % half-width of time; NaN: unknown. */
  double time_half_width;
  /** 80 % half-width of power; NaN: unknown. */
  double power_half_width;
  /** 80 % half-width of energy; NaN: unknown. */
  double energy_half_width;
  /** fraction of the kernel time inside the calibrated domain. */
  double calibrated_fraction;
  /** matrix FLOPs / (peak x time) as a fraction, with the peak of each
      kernel's format; recomputed kernels do not count. */
  double mfu;
  /** FLOP, of matmul, convolution and attention. */
  double matrix_flops;
  /** FLOP of all other kinds. */
  double other_flops;
  /** bytes, DRAM traffic after the L2. */
  double dram_bytes;
  /** bytes, every operand of every kernel once. */
  double compulsory_bytes;
  /** s, all collectives: GPU busy time of communication. */
  double communication;
  /** s, communication not hidden by computation. */
  double exposed_communication;
  /** kernels that the host launches. */
  int64_t launches;
  /** examples of all GPUs and micro-batches (with tp all GPUs share them); 0
      if the model has no batch dimension. */
  int64_t samples;
  /** samples x sequence length; 0 if the model has no sequence dimension. */
  int64_t tokens;
  /** bytes, parameters and buffers on one GPU. */
  int64_t parameter_bytes;
  /** bytes, gradients of parameters at the peak. */
  int64_t gradient_bytes;
  /** bytes, optimizer state. */
  int64_t optimizer_bytes;
  /** bytes, activations at the peak, including saved ones. */
  int64_t activation_bytes;
  /** bytes, scratch memory of the matrix library, for all calling threads. */
  int64_t workspace_bytes;
  /** bytes, sum of the five fields above. */
  int64_t peak_bytes;
  /** bytes, peak memory in blocks of the framework's allocator. */
  int64_t allocated_bytes;
  /** bytes, peak memory in segments of the framework's allocator. */
  int64_t reserved_bytes;
  /** bytes, memory that the GPU reports as used: reserved memory, context and
      communicators. */
  int64_t device_bytes;
  /** bytes, lower bound of device_bytes. */
  int64_t device_low_bytes;
  /** bytes, upper bound of device_bytes. */
  int64_t device_high_bytes;
  /** bytes, nominal memory of the GPU. */
  double memory_capacity;
  /** the allocator finds room for every tensor in the usable memory that the
      context leaves. */
  uint32_t fits_in_memory;
  /** the power limit lowers the clock. */
  uint32_t throttled;
  /** every clock exceeds the power limit: the time is a lower bound. */
  uint32_t limit_unreachable;
  /** some op is not modelled: times and energies are lower bounds, without
      intervals. */
  uint32_t lower_bound;
  /** total number of GPUs. */
  uint32_t world_size;
  /** for gpucostReportPhase. */
  uint32_t phase_count;
  /** for gpucostReportKernel. */
  uint32_t kernel_count;
  uint32_t reserved;
  /** bytes, total that CUDA reports; the nominal memory if it is unknown. */
  double memory_reported;
  /** bytes, the part of it that the software uses: memory_fraction. */
  double memory_usable;
  /** fits; may-not-fit: device_bytes fits, but its upper bound does not;
      does-not-fit. */
  uint32_t memory_verdict;
  /** some op of a training is not modelled: its gradients, saved tensors and
      optimizer states are missing. */
  uint32_t memory_lower_bound;
} gpucostTotals;
/* End of gpucostTotals. */

/* gpucostPhaseTotals: written by utils/python_bindings.py. */
typedef struct gpucostPhaseTotals {
  uint32_t size;
  /** gpucostPhase, name of the phase. */
  uint32_t phase;
  /** s, kernels, gaps and waits for the host; for communication, the part that
      computation does not hide. */
  double time;
  /** s, kernels and gaps. */
  double gpu_busy;
  /** s, time that the host needs to launch the kernels. */
  double host;
  /** s, sum of total_us over the phase's kernels. */
  double kernel_time;
  /** J, energy of the phase's kernels, gaps and waits. */
  double energy;
  /** launches: sum of count over the phase's kernels. */
  int64_t kernels;
  /** FLOP, sum of count x flops over the phase's kernels. */
  int64_t flops;
  /** bytes, compulsory: sum of count x bytes over the phase's kernels. */
  int64_t bytes;
} gpucostPhaseTotals;
/* End of gpucostPhaseTotals. */

/** `count` identical launches. */
/* gpucostKernelRow: written by utils/python_bindings.py. */
typedef struct gpucostKernelRow {
  uint32_t size;
  /** GPUCOST_ENUM_ROW_FAMILY, kernel family. */
  uint32_t family;
  /** name of the first ONNX node that launches the kernel. */
  const char *name;
  /** launched kernel, such as MatMul+Add. */
  const char *label;
  /** source op, such as onnx.MatMul. */
  const char *op;
  /** problem, such as m=2048 n=1024 k=1024. */
  const char *shape;
  /** why the kernel exists although the file does not contain it, such as
      gradient of MatMul, recompute, all_reduce; empty for kernels of the
      file. */
  const char *origin;
  /** gpucostPhase, phase that launches the kernel. */
  uint32_t phase;
  /** gpucostFormat, number format. */
  uint32_t format;
  /** GPUCOST_ENUM_COVERAGE, how well the work of the kernel is known. */
  uint32_t coverage;
  uint32_t reserved;
  /** launches. */
  int64_t count;
  /** one launch: flops, time, energy and tiling; event counts are NaN. */
  gpucostCost cost;
} gpucostKernelRow;
/* End of gpucostKernelRow. */

/** The iteration at one operating point. */
typedef struct gpucostReport gpucostReport;

/** `run` may be NULL. */
GPUCOST_API gpucostStatus gpucostEvaluate(const gpucostPlaced *placed,
                                          const gpucostRun *run,
                                          gpucostReport **report);
GPUCOST_API void gpucostReportFree(gpucostReport *report);
GPUCOST_API gpucostStatus gpucostReportTotals(const gpucostReport *report,
                                              gpucostTotals *totals);
/** Index below `phase_count`. */
GPUCOST_API gpucostStatus gpucostReportPhase(const gpucostReport *report,
                                             size_t index,
                                             gpucostPhaseTotals *phase);
/** Index below `kernel_count`; longest time first. Strings belong to
    `report`. */
GPUCOST_API gpucostStatus gpucostReportKernel(const gpucostReport *report,
                                              size_t index,
                                              gpucostKernelRow *row);
/** Assumptions and warnings, as sentences; NULL beyond the last one. */
GPUCOST_API const char *gpucostReportNote(const gpucostReport *report,
                                          size_t index);
/** The text of `gpu-cost-opt --report=json` (docs/JsonSchema.md), to be freed
    by gpucostFree. `group_by` is NULL, "op", "layer" or "scope". */
GPUCOST_API gpucostStatus gpucostReportJson(const gpucostReport *report,
                                            const char *group_by, char **text,
                                            size_t *size);

/** The page of `gpu-cost-opt --report=html` (docs/Reports.md) of
    gpucostEvaluate, UTF-8, to be freed by gpucostFree. GPUCOST_UNSUPPORTED if
    the library was built without D3. */
GPUCOST_API gpucostStatus gpucostEvaluatePage(const gpucostPlaced *placed,
                                              const gpucostRun *run,
                                              char **text, size_t *size);

/** A page that shows JSON: `kind` is "report" (a report, with `details` for all
    sections), "sweep", "comparison", "optimum", "deployment" or "generation",
   as written by the tool. `json`, of `json_size` bytes, is one value, which is
   not checked; `title` is the window title. */
GPUCOST_API gpucostStatus gpucostMakePage(const char *kind, const char *title,
                                          const char *json, size_t json_size,
                                          char **text, size_t *size);

/** gpucostEvaluate for `count` operating points: only the totals. */
GPUCOST_API gpucostStatus gpucostEvaluateMany(const gpucostPlaced *placed,
                                              const gpucostRun *runs,
                                              size_t run_stride, size_t count,
                                              gpucostTotals *totals,
                                              size_t totals_stride);

/*===----------------------------------------------------------------------===*\
|* Services: steps of a language model                                        *|
\*===----------------------------------------------------------------------===*/

/** A language model with a KV cache on a GPU, for the loop of a scheduler or a
    simulator: some tens of microseconds per step. One thread at a time may use
    a service; a step of another thread meanwhile is GPUCOST_INVALID_ARGUMENT.
    docs/Serving.md explains the rule for unequal sequences. */
typedef struct gpucostService gpucostService;

/** Loads a service file (.gcs), written by `gpu-cost-opt serve --oracle=FILE`
    or gpucostPrepareService, for the GPU of `model`. Fails if the model has
    another format. */
GPUCOST_API gpucostStatus gpucostServiceCreate(const void *bytes, size_t size,
                                               const gpucostModel *model,
                                               gpucostService **service);
GPUCOST_API void gpucostServiceFree(gpucostService *service);

/** The largest steps of a service. */
typedef struct gpucostServiceLimits {
  uint32_t size;
  uint32_t world_size; /**< GPUs that run a step */
  int64_t sequences;
  int64_t new_tokens;   /**< per sequence */
  int64_t cache_tokens; /**< per sequence */
} gpucostServiceLimits;

GPUCOST_API gpucostStatus gpucostServiceGetLimits(const gpucostService *service,
                                                  gpucostServiceLimits *limits);

/** One step, on each of `world_size` GPUs. */
typedef struct gpucostStepCost {
  uint32_t size;
  uint32_t throttled; /**< the power limit lowered the clock */
  double time;        /**< s */
  double energy;      /**< J, of one GPU */
  double power;       /**< average, W */
  double clock;       /**< Hz */
  /** 1: no clock keeps the power limit, so the time is a lower bound */
  uint32_t limit_unreachable;
  /** 1: some op is not modelled, so time and energy are lower bounds */
  uint32_t lower_bound;
} gpucostStepCost;

/** One step of `count` sequences. Sequence i has `new_tokens[i]` new tokens (1
    in decoding, a chunk of the prompt in prefill) and `cache_tokens[i]` tokens
    in the cache. */
GPUCOST_API gpucostStatus gpucostServiceStep(gpucostService *service,
                                             const int64_t *new_tokens,
                                             const int64_t *cache_tokens,
                                             size_t count,
                                             gpucostStepCost *cost);

/*===----------------------------------------------------------------------===*\
|* Settings                                                                   *|
\*===----------------------------------------------------------------------===*/

/** All settings of a scenario as a JSON array of objects: `name` (the JSON
    key), `flag`, `group`, `type` ("choice", "integer", "number", "boolean",
    "text", "map"), `choices`, `minimum`, `maximum`, `unit`, `default`, `help`.
    To be freed by gpucostFree. */
GPUCOST_API gpucostStatus gpucostSettings(char **json, size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* GPUCOST_C_GPUCOST_H */
