# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One step of a language model, asked of serve, a step oracle and the report."""
from tool import Case

from answers.compared import agree, agree_in
from answers.doors import Refusal
from answers.settings import draw

STEP = ["time_ms", "energy_j", ("avg_power_w", "power_w")]
PHASE = [*STEP, "time_low_ms", "time_high_ms", "clock_mhz", "throttled", "power_limit_unreachable",
         "time_is_lower_bound", "bound", "bound_fractions"]
# Defaults of a service (docs/Serving.md).
DEFAULTS = {"runtime": "cudagraph", "kv-cache": "in-place", "batch": 1}
LENGTHS = ("seq", "past")


def without_lengths(settings):
    """Lengths are no settings of a service."""
    return {name: [each for each in value if each not in LENGTHS] if name == "given" else value
            for name, value in settings.items() if name not in LENGTHS}


def check_step(case, what, report, step):
    agree_in(case, what, report["iteration"], step, STEP)


def check_phase(case, what, report, phase):
    agree_in(case, what, report["iteration"], phase, PHASE)
    case.require(f"{what}.tokens", report["iteration"]["tokens"] == phase["tokens"],
                 f"{report['iteration']['tokens']} and {phase['tokens']}")


def check_oracle(doors, case, setting, decode, words, length):
    """A decode step is the report; a prompt has the logits of its last position, as in serve by default."""
    try:
        prepared = doors.ask(doors.package.prepare_service, setting.path, **setting.keywords())
    except Refusal as refused:
        # docs/Serving.md, "Limits": models whose steps launch different kernels.
        case.require("oracle.refused", "no step oracle can be made of the model: other shapes" in str(refused), str(refused))
        return
    service = doors.ask(prepared.service, doors.package.Model(setting.get("target"), software=setting.get("software")))
    batch = setting.get("batch")
    served = doors.json("serve", setting.path, *setting.flags(), *words)["prefill"]
    for what, sequence, expected, names in (
            ("oracle.decode", (1, length), decode["iteration"], {"power_w": "avg_power_w"}),
            ("oracle.prefill", (length, 0), served, {})):
        if sequence[0] > service.limits.new_tokens or batch > service.limits.sequences:
            continue
        cost = doors.ask(service.step, [sequence] * batch)
        for name in ("time_ms", "energy_j", "power_w", "clock_mhz", "throttled", "power_limit_unreachable",
                     "time_is_lower_bound"):
            # The oracle has all digits.
            case.require_equal(f"{what}.{name}", expected[names.get(name, name)], getattr(cost, name))


def check(doors, random, network, gpu, number_format):
    drawn = draw(random, network, gpu, number_format)
    known = dict(drawn.values)
    setting = drawn.but(seq=None, past=None, set=None, precision_mode=None,
                        **{name.replace("-", "_"): known.get(name, value) for name, value in DEFAULTS.items()})
    length, answer = random.choice([16, 100, 512]), random.choice([2, 3])
    words = [f"--input-tokens={length}", f"--output-tokens={answer}", "--logits=all"]
    case = Case(setting.command("serve") + " " + " ".join(words))
    decode_of = lambda past: doors.report(setting.but(seq=1, past=past))  # noqa: E731
    try:
        prefill, decode = doors.report(setting.but(seq=length, past=0)), decode_of(length)
    except Refusal as refused:
        try:
            doors.json("serve", setting.path, *setting.flags(), *words)
            case.require("refused", False, f"only by the report: {refused}")
        except Refusal as other:
            case.require("refused", str(refused) == str(other), f"{refused}: serve: {other}")
        return case
    last = decode if answer == 2 else decode_of(length + answer - 2)
    fits = all(each["iteration"]["fits_in_memory"] for each in (prefill, last))
    try:
        served = doors.json("serve", setting.path, *setting.flags(), *words)
    except Refusal as refused:
        case.require("fits", not fits and "fit" in str(refused), f"fits in the reports, but serve: {refused}")
        return case
    case.require("fits", fits, "does not fit in a report")
    agree_in(case, "serve", decode, served, ["target", "format", "model"])
    check_phase(case, "serve.prefill", prefill, served["prefill"])
    check_step(case, "serve.first", decode, served["decode"]["first"])
    check_step(case, "serve.last", last, served["decode"]["last"])
    if answer == 2:
        check_phase(case, "serve.decode", decode, served["decode"])
    memory = served["memory"]
    agree_in(case, "serve.memory", prefill["iteration"], memory, [
        "parameter_bytes", ("device_bytes", "prefill_device_bytes"), ("memory_capacity_bytes", "capacity_bytes"),
        ("memory_reported_bytes", "reported_bytes")])
    agree_in(case, "serve.memory", last["iteration"], memory, [
        ("device_bytes", "decode_device_bytes"), ("memory_usable_bytes", "usable_bytes")])
    for report in (decode, prefill):
        for note in report["notes"]:
            case.require("serve.notes", any(note in each for each in served["notes"]), f"{note!r} is only in the report")
    agree(case, "serve.settings", without_lengths(decode["settings"]), without_lengths(served["settings"]))
    check_oracle(doors, case, setting, decode, words[:2], length)
    return case
