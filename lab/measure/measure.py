#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures time, power and energy of kernels and networks on this GPU.

Requires PyTorch and, for clocks and power, nvidia-ml-py. Writes CSV files; see
README.md in this folder. It does not change GPU settings.
"""

import argparse
import signal
import sys
import warnings
from pathlib import Path

try:
    import torch
except ImportError:
    sys.exit("error: expected PyTorch; install it with 'pip install torch'")

from gpu import Board
from provenance import provenance
from results import Campaign, Deadline, DeviceLost, Failure

SUITES = ("kernels", "power", "training", "inference", "library", "host")


def run_suite(name, campaign, arguments):
    """Runs one suite; suites are imported on demand."""
    if name == "kernels":
        import suite_kernels
        return suite_kernels.run(campaign, arguments.from_model)
    if name == "power":
        import suite_power
        return suite_power.run(campaign)
    if name == "host":
        import suite_host
        return suite_host.run(campaign)
    if name == "library":
        import suite_library
        return suite_library.run(campaign, arguments.only)
    import suite_networks
    return suite_networks.run(campaign, name, arguments.only)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", choices=SUITES, metavar="SUITE",
                        help="suites to measure: " + ", ".join(SUITES))
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--smoke", action="store_true",
                        help="tiny sizes and few repeats: only tests the program")
    parser.add_argument("--out", type=Path, default=Path("measurements"),
                        metavar="DIR", help="folder of the CSV files (%(default)s)")
    parser.add_argument("--minutes", type=float, default=9.5, metavar="N",
                        help="maximum time per suite (%(default)s)")
    parser.add_argument("--seconds", type=float, metavar="N",
                        help="steady work that a row of power, training, inference and "
                        "library averages (6 for power, else 4)")
    parser.add_argument("--resume", action="store_true",
                        help="keep existing rows and measure the others")
    parser.add_argument("--from-model", metavar="REPORT.json",
                        help="kernels: take them from a JSON report of gpu-cost-opt")
    parser.add_argument("--only", nargs="+", metavar="WORD", default=[],
                        help="training, inference, library: rows that contain all of these "
                        "words, e.g. bert-base compiled")
    return parser.parse_args()


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    arguments = parse_arguments()
    if arguments.device == "cuda" and not torch.cuda.is_available():
        raise Failure("expected a CUDA GPU, but PyTorch does not find one; --device cpu "
                      "--smoke tests the program without one")
    if arguments.device == "cpu" and not arguments.smoke:
        raise Failure("--device cpu requires --smoke: nothing is calibrated on "
                      "CPUs")
    warnings.simplefilter("ignore")  # of deprecated switches and of compilers
    signal.signal(signal.SIGTERM, interrupt)
    torch.manual_seed(0)
    if arguments.device == "cpu":
        torch.set_num_threads(1)  # tiny sizes: more threads only wait for each other
    device = torch.device(arguments.device)
    board = Board(device)
    facts = provenance(device, board)
    for name, value in facts.items():
        print(f"{name}: {value}")
    for name in arguments.suites:
        campaign = Campaign(device, board, {**facts, "suite": name}, arguments.out,
                            arguments.smoke, arguments.resume, arguments.minutes,
                            Deadline(arguments.minutes), arguments.seconds)
        print(f"suite {name}, at most {arguments.minutes:g} minutes", flush=True)
        file = run_suite(name, campaign, arguments)
        print(f"{file.path}: {file.rows} new rows", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
    except DeviceLost as lost:
        sys.exit(f"error: the GPU failed ({lost}); --resume continues after this row")
    except KeyboardInterrupt:
        sys.exit("stopped; all rows so far are written, --resume continues")
