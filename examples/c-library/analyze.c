/*===- analyze.c - A model file to a report ------------------------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include <gpucost-c/gpucost-mlir.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: analyze MODEL SETTINGS\n");
    return 2;
  }
  gpucostInput input;
  GPUCOST_INIT(input);
  input.path = argv[1];
  input.settings = argv[2];
  gpucostReportOptions options;
  GPUCOST_INIT(options);
  options.format = "table";
  char *text = NULL, *warnings = NULL;
  if (gpucostAnalyze(&input, &options, &text, NULL, &warnings) != GPUCOST_OK) {
    fprintf(stderr, "error: %s\n", gpucostMlirLastError());
    return 1;
  }
  if (warnings)
    fputs(warnings, stderr);
  fputs(text, stdout);
  gpucostMlirFree(text);
  gpucostMlirFree(warnings);
  return 0;
}
