# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times one kernel: many launches over buffers that do not fit in L2."""

import gc
import math
import time

import torch

from cases import Buffers, precision

MAX_SETS = 48  # sets of operands that are rotated
REPLAY_S = 2e-3  # minimum time per graph replay
MEASURE_S = 0.05  # total of all repeats


def percentile(values, share):
    """The value below which `share` of the values lie, interpolated."""
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def spread(values):
    """Median, 10th and 90th percentile."""
    return tuple(percentile(values, share) for share in (0.5, 0.1, 0.9))


class KernelTimer:
    """Measures cases on one device."""

    def __init__(self, campaign):
        self.campaign = campaign
        self.board = campaign.board
        self.device = campaign.device
        if campaign.on_gpu:
            self.stream = torch.cuda.Stream()
            properties = torch.cuda.get_device_properties(self.device)
            self.l2_bytes = getattr(properties, "L2_cache_size", 0) or 64 << 20
            self.memory_bytes = properties.total_memory

    def measure(self, case):
        """Columns of the result: times in us of one call."""
        with precision(case.dtype), torch.no_grad():
            if not self.campaign.on_gpu:
                return self._on_cpu(case)
            try:
                with torch.cuda.stream(self.stream):
                    return self._on_gpu(case)
            finally:
                if torch.cuda.memory_reserved() > self.memory_bytes // 8:
                    torch.cuda.empty_cache()

    def sets_of(self, case):
        """Number of operand sets that exceed twice the size of L2."""
        wanted = math.ceil(2 * self.l2_bytes / max(case.bytes, 1))
        return max(2, min(MAX_SETS, wanted))

    def _on_cpu(self, case):
        call = case.build(Buffers(self.device, case.dtype))
        call()
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            call()
            times.append(1e6 * (time.perf_counter() - begin))
        return self._columns(times, launches=1, sets=1, method="wall")

    def _on_gpu(self, case):
        calls = [
            case.build(Buffers(self.device, case.dtype))
            for _ in range(self.sets_of(case))
        ]

        def run_all():
            """Results are kept until all have run, so that they also rotate."""
            results = [call() for call in calls]
            del results

        run_all()  # loads kernels, creates workspaces
        self.stream.synchronize()
        begin = time.perf_counter()
        run_all()
        self.stream.synchronize()
        one_round_s = time.perf_counter() - begin
        rounds = max(1, min(math.ceil(REPLAY_S / one_round_s), 256 // len(calls)))
        launches = rounds * len(calls)

        def run_rounds():
            for _ in range(rounds):
                run_all()

        graph = capture(run_rounds)
        if graph is not None:
            return self._repeat(graph.replay, launches, len(calls), "graph")
        try:
            # On the same stream: a backward pass runs where its forward ran.
            return self._repeat(run_rounds, launches, len(calls), "events")
        finally:
            self.stream = torch.cuda.Stream()  # for the next case

    def _repeat(self, run, launches, sets, method):
        """Times `run` repeatedly and reads the sensors while it runs."""
        run()
        self.stream.synchronize()
        begin = time.perf_counter()
        run()
        self.stream.synchronize()
        once_s = time.perf_counter() - begin
        repeats = max(5, min(50, math.ceil(MEASURE_S / once_s)))
        pairs = []
        for _ in range(repeats):
            pair = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            if method == "events":
                # Keeps the GPU busy while the host launches ahead: about 20 us
                # per launch, in cycles of at most 2 GHz.
                torch.cuda._sleep(40_000 * launches)
            pair[0].record()
            run()
            pair[1].record()
            pairs.append(pair)
        # The host is far ahead, so a reading now would belong to the first
        # repeat.
        pairs[repeats // 2][0].synchronize()
        clock, temperature = self.board.clock_mhz(), self.board.temperature_c()
        throttle = self.board.throttle_reasons()
        self.stream.synchronize()
        times = [1e3 * first.elapsed_time(last) / launches for first, last in pairs]
        return {**self._columns(times, launches, sets, method), "clock_mhz": clock,
                "temperature_c": temperature,
                "throttle_reasons": None if throttle is None else hex(throttle)}

    @staticmethod
    def _columns(times, launches, sets, method):
        median, p10, p90 = spread(times)
        return {
            "time_us": median, "p10_us": p10, "p90_us": p90,
            "repeats": len(times), "launches": launches, "buffer_sets": sets,
            "method": method,
        }


def capture(run):
    """Captures the launches of `run()` on the current stream as a CUDA graph.

    None if capture fails, for example because `run()` waits for the GPU. The
    current stream must not be the default stream.
    """
    graph, pool = torch.cuda.CUDAGraph(), torch.cuda.graph_pool_handle()
    failure = None
    gc.disable()  # memory must not be freed during capture
    try:
        graph.capture_begin(pool=pool)
        try:
            run()
        except RuntimeError as error:
            failure = error.with_traceback(None)
        try:
            graph.capture_end()
        except RuntimeError as error:
            failure = failure or error.with_traceback(None)
    finally:
        gc.enable()
    if failure is None:
        return graph
    recover(pool)
    if "out of memory" in str(failure).lower():
        raise failure
    return None


def recover(pool):
    """Restores PyTorch's state after a failed capture.

    If capture_end() throws, the allocator still allocates for the graph and the
    random number generator is still in capture mode. Returning the pool ends
    the former, a successful capture the latter.
    """
    torch.cuda.synchronize()
    try:
        torch._C._cuda_endAllocateToPool(torch.cuda.current_device(), pool)
    except (AttributeError, RuntimeError):
        pass  # it had already ended
    one = torch.zeros(1, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.stream(torch.cuda.Stream()):
        graph.capture_begin()
        one.add_(1)
        graph.capture_end()
    torch.cuda.synchronize()
