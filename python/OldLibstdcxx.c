/*===- OldLibstdcxx.c - Old versions of functions of libstdc++ ------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A wheel from Debian 12 (GCC 12) also runs with the libstdc++ of GCC 11, as *|
|* in RHEL 9. CMakeLists.txt lists these functions for the linker's --wrap.   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* std::condition_variable::wait(std::unique_lock<std::mutex> &): that of 3.4.30
   is the same function, except that it is not noexcept. */
void firstWait(void *condition, void *lock);
__asm__(".symver firstWait, _ZNSt18condition_variable4waitERSt11unique_lock"
        "ISt5mutexE@GLIBCXX_3.4.11");
void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(
    void *condition, void *lock);
void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(
    void *condition, void *lock) {
  firstWait(condition, lock);
}
