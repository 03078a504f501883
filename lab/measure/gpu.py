# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the sensors of a GPU through NVML.  Nothing here changes a setting."""

import hashlib
import threading
import time
from dataclasses import dataclass, field

import torch

try:
    import pynvml
except ImportError:
    pynvml = None

SAMPLE_PERIOD_S = 0.02  # 50 Hz


class Board:
    """The GPU that PyTorch computes on. Unavailable readings are None."""

    def __init__(self, device):
        self.handle = None
        self.reading = ""  # which power sensor is read
        if device.type != "cuda":
            return
        if pynvml is None:
            print("warning: no NVML bindings (pip install nvidia-ml-py): "
                  "clocks, temperature and power are empty")
            return
        try:
            pynvml.nvmlInit()
            self.handle = self._find(torch.cuda.get_device_properties(device))
        except pynvml.NVMLError as error:
            print(f"warning: NVML is not usable ({error}): clocks, temperature "
                  "and power are empty")
            return
        self.reading = "instant" if self._instant_power() else "average of 1 s"

    @staticmethod
    def _find(properties):
        """NVML enumerates all GPUs, PyTorch only the visible ones, so match by
        the bus."""
        try:
            address = (f"{properties.pci_domain_id:08x}:"
                       f"{properties.pci_bus_id:02x}:"
                       f"{properties.pci_device_id:02x}.0")
            return pynvml.nvmlDeviceGetHandleByPciBusId(address.encode())
        except (AttributeError, pynvml.NVMLError):
            return pynvml.nvmlDeviceGetHandleByIndex(0)

    def _query(self, name, *arguments):
        function = getattr(pynvml, name, None) if self.handle else None
        if function is None:
            return None
        try:
            return function(self.handle, *arguments)
        except pynvml.NVMLError:
            return None

    def _instant_power(self):
        field_id = getattr(pynvml, "NVML_FI_DEV_POWER_INSTANT", None)
        values = self._query("nvmlDeviceGetFieldValues", [field_id]) if field_id else None
        if not values or values[0].nvmlReturn != 0:
            return None
        return values[0].value.uiVal / 1000 or None

    def power_w(self):
        """Watts of the whole board."""
        if self.reading == "instant":
            return self._instant_power()
        milliwatts = self._query("nvmlDeviceGetPowerUsage")
        return None if milliwatts is None else milliwatts / 1000

    def energy_j(self):
        """Joules since the driver was loaded."""
        millijoules = self._query("nvmlDeviceGetTotalEnergyConsumption")
        return None if millijoules is None else millijoules / 1000

    def clock_mhz(self):
        return self.handle and self._query("nvmlDeviceGetClockInfo", pynvml.NVML_CLOCK_SM)

    def memory_clock_mhz(self):
        return self.handle and self._query("nvmlDeviceGetClockInfo", pynvml.NVML_CLOCK_MEM)

    def max_clock_mhz(self):
        return self.handle and self._query(
            "nvmlDeviceGetMaxClockInfo", pynvml.NVML_CLOCK_SM)

    def temperature_c(self):
        return self.handle and self._query(
            "nvmlDeviceGetTemperature", pynvml.NVML_TEMPERATURE_GPU)

    def power_limit_w(self):
        milliwatts = self._query("nvmlDeviceGetEnforcedPowerLimit")
        return None if milliwatts is None else milliwatts / 1000

    def driver(self):
        if not self.handle:
            return None
        version = pynvml.nvmlSystemGetDriverVersion()
        return version.decode() if isinstance(version, bytes) else version

    def identity(self):
        """Tells boards apart: a digest of the serial identifier."""
        uuid = self.handle and self._query("nvmlDeviceGetUUID")
        if not uuid:
            return None
        return hashlib.sha256(uuid if isinstance(uuid, bytes) else uuid.encode()).hexdigest()[:8]

    def throttle_reasons(self):
        """NVML's clock event reason bits; 4 is the power limit."""
        bits = self._query("nvmlDeviceGetCurrentClocksEventReasons")
        if bits is None:
            bits = self._query("nvmlDeviceGetCurrentClocksThrottleReasons")
        return bits


@dataclass
class Window:
    """Sensor readings between two moments. Empty without NVML."""

    seconds: float = 0.0
    energy_j: float = None  # of the energy counter
    power_w: list = field(default_factory=list)
    clock_mhz: list = field(default_factory=list)
    temperature_c: list = field(default_factory=list)
    throttle: int = 0

    @property
    def average_w(self):
        return sum(self.power_w) / len(self.power_w) if self.power_w else None

    @property
    def counter_w(self):
        return self.energy_j / self.seconds if self.energy_j is not None else None

    @property
    def mean_clock_mhz(self):
        return sum(self.clock_mhz) / len(self.clock_mhz) if self.clock_mhz else None


class Sampler:
    """Samples a board in a separate thread from start() to stop()."""

    def __init__(self, board):
        self.board = board

    def start(self):
        self.window = Window()
        self.stopping = threading.Event()
        self.begin_j = self.board.energy_j()
        self.begin_s = time.perf_counter()
        self.thread = threading.Thread(target=self._sample, daemon=True)
        if self.board.handle:
            self.thread.start()

    def _sample(self):
        def add(values, value):
            if value is not None:
                values.append(value)

        next_s, readings = self.begin_s, 0
        while not self.stopping.is_set():
            add(self.window.power_w, self.board.power_w())
            add(self.window.clock_mhz, self.board.clock_mhz())
            readings += 1
            if readings % 10 == 1:  # these change slowly
                add(self.window.temperature_c, self.board.temperature_c())
                self.window.throttle |= self.board.throttle_reasons() or 0
            next_s = max(next_s + SAMPLE_PERIOD_S, time.perf_counter())
            self.stopping.wait(max(0.0, next_s - time.perf_counter()))

    def stop(self):
        """The window, after the GPU has finished its work."""
        self.stopping.set()
        if self.board.handle:
            self.thread.join()
        self.window.seconds = time.perf_counter() - self.begin_s
        end_j = self.board.energy_j()
        if self.begin_j is not None and end_j is not None:
            self.window.energy_j = end_j - self.begin_j
        return self.window
