/*===- gpucost-mlir.h - Model files in a process, for C ------------*- C
-*-===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The second library, libgpucost-mlir, converts ONNX and MLIR models to      *|
|* prepared models or reports, compiles target files, and contains the        *|
|* command-line tool as a function. It contains a private, hidden copy of     *|
|* MLIR, so that the process may load another one. It exchanges bytes, not    *|
|* handles, with libgpucost.                                                  *|
|*                                                                            *|
|* The rules of gpucost.h apply: status, `size` of structs, threads.          *|
|* gpucostMlirLastError() returns the error message of the tool, with file,   *|
|* line and remedy. Memory is freed by gpucostMlirFree().                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef GPUCOST_C_GPUCOST_MLIR_H
#define GPUCOST_C_GPUCOST_MLIR_H

#include "gpucost-c/gpucost.h"

#ifdef __cplusplus
extern "C" {
#endif

/** "0.1.0": the release; it should equal the release of libgpucost in the same
    process. */
GPUCOST_API const char *gpucostMlirVersion(void);
/** GPUCOST_ABI_VERSION of this library. */
GPUCOST_API uint32_t gpucostMlirAbiVersion(void);
/** Error message of the last failed function in this thread; "" if none
    failed. */
GPUCOST_API const char *gpucostMlirLastError(void);
GPUCOST_API void gpucostMlirFree(void *memory);

/** A model and its settings. */
typedef struct gpucostInput {
  uint32_t size;
  uint32_t reserved;
  /** Contents of an ONNX or .mlir file; NULL: `path` is read. */
  const void *bytes;
  size_t byte_count;
  /** The file; with `bytes`, only its name in reports and messages, and the
      folder of external data. NULL: "<memory>". */
  const char *path;
  /** JSON of `--settings`: an object of settings by their keys ({"target":
      "a100-bf16", "batch": 8}; docs/Settings.md, gpucostSettings), or a whole
      JSON report. NULL: the model states all settings. */
  const char *settings;
} gpucostInput;

/** The kernels of one iteration as bytes for gpucostPreparedLoad, equal to the
    file that `gpu-cost-opt prepare` writes. `*messages` receives warnings;
    `messages` may be NULL. */
GPUCOST_API gpucostStatus gpucostPrepareOnnx(const gpucostInput *input,
                                             void **prepared, size_t *size,
                                             char **messages);

/** The service of a language model with past key and value inputs as bytes for
    gpucostServiceCreate, equal to the file that `gpu-cost-opt serve
    --oracle=FILE` writes, with the default settings of `serve`. */
GPUCOST_API gpucostStatus gpucostPrepareService(const gpucostInput *input,
                                                void **service, size_t *size,
                                                char **messages);

/** The ONNX file, without weights, of the model that the config.json of a
    Hugging Face repository describes, equal to the file that `gpu-cost-opt
    build` writes. `input->bytes` are the JSON text, or `input->path` is the
   file or its folder; settings are ignored. `form`: "prompt" (also NULL),
   "training" or "cache". The other functions also take such an input as a
   model. */
GPUCOST_API gpucostStatus gpucostBuildOnnx(const gpucostInput *input,
                                           const char *form, void **onnx,
                                           size_t *size);

/** Wall-clock time of the steps of an analysis, s. */
typedef struct gpucostTimes {
  uint32_t size;
  uint32_t reserved;
  double import;   /**< reads the model */
  double prepare;  /**< finds the kernels */
  double place;    /**< selects tilings */
  double evaluate; /**< solves for clock and power */
} gpucostTimes;

typedef struct gpucostReportOptions {
  uint32_t size;
  uint32_t top;            /**< kernels in a table; 0: 10 */
  const char *format;      /**< "json", "table", "csv", "html"; NULL: "json";
                              "trace": the timeline of --trace */
  const char *group_by;    /**< NULL, "op", "layer" or "scope" */
  uint32_t details;        /**< as --details */
  uint32_t sensitivities;  /**< as --sensitivities */
  uint32_t collapse_loops; /**< as --trace-loops=collapse */
  uint32_t reserved;
  gpucostTimes *times; /**< receives times; may be NULL */
} gpucostReportOptions;

/** The report of `gpu-cost-opt MODEL --settings=... --report=...`, byte for
    byte. `options` and `messages` may be NULL. */
GPUCOST_API gpucostStatus gpucostAnalyze(const gpucostInput *input,
                                         const gpucostReportOptions *options,
                                         char **text, size_t *size,
                                         char **messages);

/** Every combination of models and values. */
typedef struct gpucostSweepInput {
  uint32_t size;
  uint32_t jobs; /**< threads; 0: 1 */
  /** Models and settings as JSON, as in the file of `gpu-cost-opt sweep
      --space` (docs/Decisions.md). */
  const char *space;
  /** File to which the lines are appended, and that a later sweep, also
      `gpu-cost-opt sweep -o`, continues; NULL: none. */
  const char *file;
  int64_t shard;    /**< part to evaluate, from 1; 0: all points */
  int64_t shards;   /**< number of parts; 0: 1 */
  uint32_t restart; /**< discards the content of `file` */
  uint32_t reserved;
} gpucostSweepInput;

/** Receives null-terminated text of `size` bytes; any other result than 0 ends
    the sweep. Called by one thread at a time, not always the same one. */
typedef int (*gpucostSweepSink)(void *context, const char *text, size_t size);

/** Runs a sweep. The first text is a JSON object: "sweep" and "version"
   identify the sweep, "points" is its number of points, of which those from
   "first" to before "end" are in the part, "settings" are the keys of the
   stated settings, "axes" those with several values, with the values as flags
   take them: points are numbered with the last axis varying fastest, and models
   slowest. The other texts are the lines of `gpu-cost-opt sweep`
   (docs/Decisions.md), in order, without those that `file` has. */
GPUCOST_API gpucostStatus gpucostSweep(const gpucostSweepInput *input,
                                       gpucostSweepSink sink, void *context);

/** A target or coefficients file (.mlir text) as bytes for
    gpucostModelCreateFromBytes. `name` is used in messages. */
GPUCOST_API gpucostStatus gpucostCompileTarget(const char *text, size_t length,
                                               const char *name, void **bytes,
                                               size_t *size);

/** The whole command-line tool: prints to standard output and standard error
    and returns its exit code. May be called repeatedly; a second thread waits
    for the first. */
GPUCOST_API int gpucostMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif /* GPUCOST_C_GPUCOST_MLIR_H */
