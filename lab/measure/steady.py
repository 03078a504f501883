# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps a GPU busy with repeated work while its sensors are read."""

import time
from collections import deque

import torch

from gpu import Sampler

AHEAD = 2  # bursts that the host launches ahead


def _loop(campaign, run, seconds):
    """Repeats `run` for `seconds` and returns the number of runs."""
    pending, count = deque(), 0
    end = time.perf_counter() + seconds
    while count == 0 or time.perf_counter() < end:
        run()
        count += 1
        if campaign.on_gpu:
            event = torch.cuda.Event()
            event.record()
            pending.append(event)
            if len(pending) > AHEAD:
                pending.popleft().synchronize()
    campaign.synchronize()
    return count


def hold(campaign, run, seconds, warm_s):
    """(sensor readings, runs) of repeating `run` for `seconds` after a warm-up
    of `warm_s`.

    `run` launches its work on the current stream and takes some milliseconds.
    """
    _loop(campaign, run, warm_s)
    sampler = Sampler(campaign.board)
    sampler.start()
    try:
        count = _loop(campaign, run, seconds)
    finally:
        window = sampler.stop()
    return window, count


def rest(campaign, seconds, warm_s):
    """Like hold(), but without work: the context is open and the GPU is
    idle."""
    time.sleep(warm_s)
    sampler = Sampler(campaign.board)
    sampler.start()
    time.sleep(seconds)
    return sampler.stop()
