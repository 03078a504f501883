# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Event energies, voltage curve and idle law of each board.

Measured: A100-PCIe, A10, H100 SXM (and the idle law of A100-SXM). All other dies
follow the study's transfer rule
    on chip = A100 at 900 MHz x process factor x (V / 0.694 V)^2,  DRAM x memory factor
at a clock at which V is still the lowest voltage, so that the generic V(f)
describes higher clocks.
"""

# Lowest core voltage: A100-PCIe's 693.75 mV; the inverted idle curve of H100
# yields about the same value (1.0 V / 1.45).
PRE_AMPERE_REFERENCE = 600
# V(1830 MHz) / Vmin of H100: the study's idle inversion yields 1.37-1.55.
H100_RISE = 1.45
# Board power at idle, context open, as a fraction of the limit at the maximum clock:
# A100-SXM 0.21, A100-PCIe 0.27, H100 0.17. Assumed for boards without data.
IDLE_SHARE = 0.2
# The part that does not depend on the clock, as a fraction of the limit; GDDR boards do not lower
# their memory clock.
IDLE_BASE_SHARE, GDDR_IDLE = 0.15, 1.5
# Volta and earlier, from Zeus' V100 runs below the limit: the measured clocks require a voltage that rises earlier
# and further, and boards regulate to less than their limit.
PRE_AMPERE = ("12FFN", "16FF")
PRE_AMPERE_KNEE, PRE_AMPERE_RISE, PRE_AMPERE_LIMITER = 0.75, 1.31, 0.975
# GV100: the voltage curve belongs to the die, whose fastest board (V100 SXM2) has 1530 MHz; a board with a lower
# maximum clock has a lower maximum voltage. Idle power, from published outputs of nvidia-smi: a V100 PCIe consumes
# 23 to 28 W without a process and 34 to 39 W after a context has raised its clock, which the idle law reproduces
# with this base.
GV100_CLOCK, GV100_IDLE_BASE_SHARE = 1530, 0.06
# 16 nm versus 12 nm: V100's measured energies are 0.98 of A100's, so the fp32 ratio of the time study (1.81 for
# 16 nm) is not valid for boards; between the two processes of one foundry it is.
ENERGY_16FF = 1.2
# pJ per byte between L2 and SMs of GH100 at 1.0 V, which the study's other energies include: the value of the
# tensor-core study and the starting point of fit_boards.py.
L2_ENERGY = 12.0

# Energy ratios: a byte of GDDR6 to a byte of HBM2; an event of GA102 (Samsung 8 nm) to an event of GA100 (TSMC N7),
# for events with a separate factor and for logic. Reasons and sources: lab/Findings.md.
GDDR6_ENERGY = 1.25
GA102_FACTORS, GA102_LOGIC = {"per_tensor_flop": 1.4, "per_dram_byte": GDDR6_ENERGY}, 1.15


def process_factors(transfer, time):
    """Energy per on-chip event relative to TSMC N7. Nodes missing from the power
    study use the time study's pJ per fp32 FLOP (12 and 16 nm) and per bf16 FLOP
    (4NP relative to 4N)."""
    fp32 = time["gemm"]["ep_by_node_pJ_per_flop"]["fp32"]
    bf16 = time["gemm"]["ep_by_node_pJ_per_flop"]["bf16_tc"]
    factors = {"4N": transfer["tech"]["TSMC_4N"]}
    factors["12FFN"] = fp32["12nm"] / fp32["7nm"]
    factors["16FF"] = factors["12FFN"] * ENERGY_16FF
    factors["4NP"] = factors["4N"] * bf16["4NP"] / bf16["5nm/4N"]
    return factors


def energies(coef, chip=1.0, dram=1.0, l2=0.0):
    own = dict(l2=l2 * chip) if l2 else {}
    return dict(own, tc=coef["e_tc_bf16_pJ_per_flop"] * chip,
                fp32=coef["e_fp32_pJ_per_flop"] * chip,
                ins=coef["e_ins_pJ_per_thread_instr"] * chip,
                dram=coef["e_dram_pJ_per_byte"] * dram,
                sm=coef["e_smcycle_pJ"] * chip)


def solve(matrix, right):
    """Small dense linear system, Gauss elimination with pivoting."""
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    result = [0.0] * n
    for i in reversed(range(n)):
        known = sum(rows[i][j] * result[j] for j in range(i + 1, n))
        result[i] = (rows[i][n] - known) / rows[i][i]
    return result


def fit_idle(points, rise):
    """Idle law for a voltage that is constant up to `low`, rises linearly by the
    factor `rise` until `high`, and is constant above: least squares of (i0, i1,
    i2) on a grid of knees. Returns (i0, i1, i2) relative to the upper voltage,
    low, high in MHz."""
    best = None
    for low in range(1050, 1300, 10):
        for high in range(1700, 1900, 20):
            rows = []
            for mhz, _ in points:
                v = 1 + (rise - 1) * min(max((mhz - low) / (high - low), 0), 1)
                rows.append((1.0, v ** 3, mhz * 1e-3 * v ** 2))
            watts = [w for _, w in points]
            normal = [[sum(r[i] * r[j] for r in rows) for j in range(3)]
                      for i in range(3)]
            law = solve(normal, [sum(r[i] * w for r, w in zip(rows, watts))
                                 for i in range(3)])
            error = sum((sum(a * b for a, b in zip(law, r)) - w) ** 2
                        for r, w in zip(rows, watts))
            if best is None or error < best[0]:
                best = (error, law, low, high)
    _, (i0, i1, i2), low, high = best
    return (i0, i1 * rise ** 3, i2 * rise ** 2), low, high


def idle_at(law, ghz, v):
    return law[0] + law[1] * v ** 3 + law[2] * ghz * v ** 2


def scaled(law, factor):
    return tuple(x * factor for x in law)


def die_curve(knee, rise, die_clock, board_clock):
    """Knee and rise of the generic curve up to a board's clock, from the curve up to the highest clock of its
    die."""
    start = knee * die_clock
    return start / board_clock, 1 + (rise - 1) * (board_clock - start) / (die_clock - start)


def power_set(study, time, board, b, origin):
    gpus, transfer = study["gpus"], study["transfer"]
    a100, a10, h100 = gpus["A100-PCIE-40GB"], gpus["A10"], gpus["H100-SXM"]
    generic = study["generic_V"]
    law = tuple(a100["idle"][k] for k in ("i0", "i1", "i2_per_ghz"))
    common = dict(knee=generic["knee"], vmax=generic["vmax"], voltage=[],
                  l2f=study["time_model"]["params"]["l2f"], gamma=2.0,
                  reference_mhz=900)
    if board.startswith("a100-pcie"):
        # Same die, so not transferred.
        return dict(common, e=energies(a100["coef"]), gamma=a100["gamma"], idle=law,
                    voltage=[tuple(p) for p in a100["V_points_mhz_v"]],
                    source=(origin, ""))
    if board.startswith("a100-sxm"):
        # Idle law and voltage curve of the SXM board from the study.
        return dict(common, e=energies(a100["coef"]), gamma=a100["gamma"],
                    idle=(45.1, 13.4, 5.6), knee=0.79, vmax=1.235,
                    source=(origin + " of A100 PCIe; own idle law and V(f)", ""))
    if board in ("a10", "a40"):
        # A10: 42 W at 900 MHz is an assumption of the fit; A40: 50 W.
        want = a10["idle"]["w_at_900"] if board == "a10" else 50.0
        return dict(common, e=energies(a10["coef"]), gamma=a10["gamma"],
                    idle=scaled(law, want / idle_at(law, 0.9, 1.0)),
                    source=(origin + f"; idle assumed {want:g} W at 900 MHz",
                            "" if board == "a10" else "A10"))
    if b["gemm"] in ("H100", "H100-PCIe", "H200"):
        idle, low, high = fit_idle(h100["idle"]["points_mhz_w"], H100_RISE)
        # Half the board, half the idle power: assumed for the PCIe card.
        idle = scaled(idle, 0.5 if b["gemm"] == "H100-PCIe" else 1.0)
        least = 1.0 / H100_RISE
        return dict(common, e=energies(h100["coef"], l2=L2_ENERGY), gamma=h100["gamma"], idle=idle,
                    reference_mhz=h100["f_max_mhz"],
                    voltage=[(510, least), (low, least), (high, 1.0), (1980, 1.0)],
                    source=(origin + "; V(f) from the idle curve, 1.0 V assumed at "
                            "1830 MHz; fp32 scaled from A100",
                            "" if b["gemm"] == "H100" else "H100 SXM"))
    factors = process_factors(transfer, time)
    chip = factors[b["node"]]
    dram = dict(transfer["dram"], GDDR6=GDDR6_ENERGY)[b["memory"]]
    top = idle_at(law, b["f"] * 1e-3, generic["vmax"])
    base = IDLE_BASE_SHARE * b["tdp"] * (GDDR_IDLE if b["memory"] == "GDDR6" else 1)
    if b["gemm"] == "B200":
        # The previous generation is nearer than A100: its energies at 1.0 V, this board's highest
        # voltage.
        chip /= factors["4N"] * generic["vmax"] ** 2
        return dict(common, e=energies(h100["coef"], chip, l2=L2_ENERGY),
                    idle=(base, *scaled(law, IDLE_SHARE * b["tdp"] / top)[1:]),
                    source=(origin + f"; H100 x {chip:.3g} (process, voltage) on chip; idle assumed "
                            f"{base / b['tdp']:.3g} x limit, leakage and clocks as A100", "H100 SXM"))
    if b["node"] in PRE_AMPERE:
        common.update(knee=PRE_AMPERE_KNEE, vmax=PRE_AMPERE_RISE, limiter=PRE_AMPERE_LIMITER,
                      reference_mhz=PRE_AMPERE_REFERENCE)
    idle = f"idle assumed {base / b['tdp']:.3g} x limit"
    if b["gemm"] == "V100":
        knee, rise = die_curve(PRE_AMPERE_KNEE, PRE_AMPERE_RISE, GV100_CLOCK, b["f"])
        base = GV100_IDLE_BASE_SHARE * b["tdp"]
        common.update(knee=knee, vmax=rise)
        idle = f"V(f) of the die; idle {GV100_IDLE_BASE_SHARE:g} x limit from readings of nvidia-smi"
    return dict(common, e=energies(a100["coef_900MHz_only"], chip, dram),
                idle=(base, *scaled(law, IDLE_SHARE * b["tdp"] / top)[1:]),
                source=(origin + f"; A100 at 900 MHz x {chip:.3g} (process), DRAM x "
                        f"{dram:g}; {idle}, leakage and clocks as A100", "A100 PCIe 40GB"))
