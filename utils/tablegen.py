# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TableGen definitions as Python data."""
import json
import subprocess
import sys


def read_records(tblgen, includes, paths):
    """The TableGen records of the files, as printed by llvm-tblgen."""
    source = "".join(f'include "{path}"\n' for path in paths)
    result = subprocess.run([tblgen, "-dump-json", *(f"-I{folder}" for folder in includes), "-"],
                            input=source, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"llvm-tblgen: {result.stderr}")
    return json.loads(result.stdout)
