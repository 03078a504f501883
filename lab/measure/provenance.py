# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hardware and software of a measurement: the header of every CSV file."""

import datetime
import platform
import time

import torch

VERSION = "2"  # of this program: increment it if the meaning of rows changes


def provenance(device, board, idle_s=2.0):
    """Ordered {key: value}; opens a context on the GPU and reads its idle
    state."""
    facts = {
        "program": f"measure.py version {VERSION}",
        "date": datetime.datetime.now(datetime.timezone.utc).strftime(
            "%Y-%m-%dT%H:%M:%SZ"),
        "device": device.type,
        "python": platform.python_version(),
        "pytorch": torch.__version__,
    }
    if device.type != "cuda":
        facts["gpu"] = "none"
        return facts
    properties = torch.cuda.get_device_properties(device)
    torch.zeros(1, device=device)  # opens the context
    torch.cuda.synchronize()
    facts.update({
        "gpu": properties.name,
        "board": board.identity(),
        "compute capability": f"{properties.major}.{properties.minor}",
        "SMs": properties.multi_processor_count,
        "L2 bytes": getattr(properties, "L2_cache_size", ""),
        "memory bytes": properties.total_memory,
        "driver": board.driver(),
        "cuda": torch.version.cuda,
        "cudnn": torch.backends.cudnn.version(),
        "cudnn benchmark": torch.backends.cudnn.benchmark,
        "max SM clock MHz": board.max_clock_mhz(),
        "SM clock MHz": board.clock_mhz(),
        "memory clock MHz": board.memory_clock_mhz(),
        "power limit W": board.power_limit_w(),
        "power sensor": board.reading,
        "temperature C": board.temperature_c(),
    })
    time.sleep(idle_s)
    facts["idle power W"] = board.power_w()
    facts["idle SM clock MHz"] = board.clock_mhz()
    return facts
