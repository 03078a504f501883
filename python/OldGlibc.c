/*===- OldGlibc.c - Old versions of functions of glibc --------------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A wheel from Debian 12 (glibc 2.36) also runs with glibc 2.34, as in       *|
|* RHEL 9. CMakeLists.txt lists these functions for the linker's --wrap.      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* The first version for x86-64 and for aarch64. */
#ifdef __x86_64__
#define FIRST "GLIBC_2.2.5"
#else
#define FIRST "GLIBC_2.17"
#endif

/* That of 2.35 is the same function, except that it does not set errno. */
double firstHypot(double x, double y);
__asm__(".symver firstHypot, hypot@" FIRST);
double __wrap_hypot(double x, double y);
double __wrap_hypot(double x, double y) { return firstHypot(x, y); }

/* New in 2.36; LLVM chooses names of temporary files with it. */
uint32_t __wrap_arc4random(void);
uint32_t __wrap_arc4random(void) {
  uint32_t number;
  if (getentropy(&number, sizeof(number)) != 0)
    abort();
  return number;
}
