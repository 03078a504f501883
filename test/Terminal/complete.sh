# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints what bash offers for the last word of a command line:
#   complete.sh SCRIPT word...
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gpu_cost_opt
printf '%s\n' "${COMPREPLY[@]}"
