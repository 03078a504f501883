/*===- service.h - Services from files of --oracle ------------------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What steps.c and mixed_steps.c begin with: a service that                  *|
|* `gpu-cost-opt serve --oracle` made, on a GPU.                              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef SERVICE_H
#define SERVICE_H

#include <gpucost-c/gpucost.h>
#include <stdio.h>
#include <stdlib.h>

static void check(gpucostStatus status) {
  if (status == GPUCOST_OK)
    return;
  fprintf(stderr, "error: %s\n", gpucostLastError());
  exit(1);
}

/* The service of the file `path` on the GPU named `target`. */
static gpucostService *load(const char *path, const char *target) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  void *bytes = malloc(size);
  if (!bytes || fread(bytes, 1, size, file) != size) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(file);
  gpucostModel *model = NULL;
  gpucostService *service = NULL;
  check(gpucostModelCreate(target, NULL, &model));
  check(gpucostServiceCreate(bytes, size, model, &service));
  gpucostModelFree(model); /* the service has what it needs */
  free(bytes);
  return service;
}

#endif /* SERVICE_H */
