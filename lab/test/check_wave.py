#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wave scaling between two made-up GPUs, for kernels without work, at the ridge and far above it."""
import types

from validate_transfer import wave_scaled

SOURCE = types.SimpleNamespace(bandwidth=1e12, waves=100, clock=1500, peak=10e12)
TARGET = types.SimpleNamespace(bandwidth=2e12, waves=150, clock=1000, peak=20e12)  # ridge 10 FLOP/B
print(*(f"{wave_scaled(100.0, SOURCE, TARGET, intensity):.3f}" for intensity in (0, 10, 40)))
