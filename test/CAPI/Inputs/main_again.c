/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Runs the tool once for each line of arguments on standard input, in one process, and prints the exit codes. */
#include <gpucost-c/gpucost-mlir.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[4096];
  while (fgets(line, sizeof(line), stdin)) {
    char *argv[64] = {"gpu-cost-opt"};
    int argc = 1;
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
      argv[argc++] = word;
    int code = gpucostMain(argc, argv);
    printf("exit %d\n", code);
    fflush(stdout);
  }
  return 0;
}
