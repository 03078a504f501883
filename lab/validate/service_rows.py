# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measured services: rows of two tables as plans, traffic and times, and the plans' settings.

The manifest's `services` maps models to configurations (models of test/Configurations, or
sizes in the manifest), precisions to formats, and releases that a table does not give to
assumed ones. Releases of stacks are those of Software.def. A plan that the tool or the
manifest cannot express raises Unmapped with the reason.
"""
import csv
import dataclasses
import functools
import json
import pathlib
import re

from e2e_rows import ROOT
from kernel_tables import PRODUCTS, Unmapped

SERVICES = pathlib.Path("wave3") / "aic" / "services.csv"
MORE = pathlib.Path("wave3") / "extra" / "serving.csv"
CONFIGURATIONS = ROOT / "test" / "Configurations" / "configurations.json"
SOFTWARE = ROOT / "include" / "gpucost" / "Core" / "Vocabulary" / "Software.def"
WHOLE = (("whole-experts", "true"),)  # the experts of a layer are distributed over a tensor parallel group
FRAMEWORKS = {"vllm": "Vllm", "sglang": "Sglang", "trtllm": "TensorRtLlm"}


@dataclasses.dataclass(frozen=True)
class Plan:
    """How one instance runs a model. `replicated`: attention data parallelism with distributed experts."""

    model: str
    gpu: str
    precision: str
    stack: str
    software: str
    gpus: int
    replicated: bool = False
    launch: tuple = ()  # flags of the tool for how the service was launched

    def local(self, sequences):
        """Sequences of a GPU, or of the group of GPUs that divides the model."""
        return max(-(-sequences // self.gpus), 1) if self.replicated else sequences


@dataclasses.dataclass
class Service:
    """A measured row: `plan` is that of the decode workers, `prompts` the plan that runs the
    prompts; of aggregated services both are one. Times in ms."""

    row: dict
    plan: Plan
    prompts: Plan
    inputs: int
    outputs: int
    concurrency: int
    workers: int = 1
    loop: tuple = ()  # flags of the closed loop, with stated lengths
    measured: dict = dataclasses.field(default_factory=dict)

    @property
    def aggregated(self):
        return self.row["serving"] == "aggregated"

    @property
    def batch(self):
        """Sequences of a step of one instance."""
        return max(round(self.concurrency / self.workers), 1)

    @property
    def context(self):
        return self.inputs + self.outputs // 2


def version_of(text):
    """(1, 2) of "1.2.0rc6.post2"."""
    found = re.match(r"v?(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(part or 0) for part in found.groups()) if found else None


@functools.lru_cache(maxsize=None)
def releases():
    """{framework: [(last version, --software)]} of Software.def, in the order of versions."""
    found = {}
    for name, framework, last in re.findall(r'^RELEASE\(\w+, "([^"]+)", (\w+), (newest|version\([^)]*\))', SOFTWARE.read_text(), re.M):
        if last != "newest":
            found.setdefault(framework, []).append((tuple(map(int, re.findall(r"\d+", last))), name))
    return {framework: sorted(rows) for framework, rows in found.items()}


def software_of(stack, version):
    """--software of a stack's release."""
    if stack not in FRAMEWORKS:
        raise Unmapped(f"stack {stack}")
    parsed = version_of(version)
    if parsed is None:
        raise Unmapped(f"release {version or 'not given'} of {stack}")
    for last, name in releases().get(FRAMEWORKS[stack], ()):
        if parsed[:len(last)] <= last:
            return name
    return PRODUCTS[stack]


class Manifest:
    """`services` of manifest.json."""

    def __init__(self, path):
        found = json.loads(pathlib.Path(path).read_text())
        self.services, self.tables = found["services"], found["serving_tables"]
        self.known = json.loads(CONFIGURATIONS.read_text())

    def model(self, name):
        if name not in self.services["models"]:
            raise Unmapped(f"model {name}")
        return self.services["models"][name]

    def configuration(self, name):
        """The config.json of a model."""
        where = self.model(name)["configuration"]
        return where if isinstance(where, dict) else self.known[where]["config"]

    def version(self, stack, version, date):
        """The stated release, or the one that is assumed at `date`."""
        if version_of(version):
            return version
        for last, assumed in self.services["undated"].get(stack, []):
            if date and date <= last:
                return assumed
        raise Unmapped(f"release {version or 'not given'} of {stack} on {date or 'no date'}")

    def launch(self, origin, stack):
        """Flags for how services of this origin are launched."""
        return tuple(pair for one in self.services["launches"] if origin.startswith(one["origin"]) and one["stack"] == stack
                     for pair in one["settings"].items())

    def table_launch(self, row):
        """Flags for how the service of a row of serving.csv was launched."""
        return tuple(pair for rule in self.tables["launches"]
                     if all(re.match(text, row[name]) for name, text in rule.items() if name not in ("settings", "reason"))
                     for pair in rule["settings"].items())

    def run_of(self, row, inputs, outputs):
        """Requests of the run in which a row of serving.csv was measured; None: not stated."""
        return next((requests for rule in self.tables["runs"] if row["source"].startswith(rule["source"])
                     for *lengths, requests in rule["requests"] if lengths == [inputs, outputs]), None)

    def loop(self, row, inputs, users):
        """Flags of the closed loop in which a row was measured: the rules that fit it, the later ones first."""
        found = {}
        for rule in self.services["loops"]:
            columns = {name: text for name, text in rule.items() if name not in ("settings", "reason", "from_users")}
            if users >= rule.get("from_users", 1) and all(re.match(text, row.get(name, "")) for name, text in columns.items()):
                found.update(rule["settings"])

        def value(setting):
            if not isinstance(setting, dict):
                return setting
            return setting.get("inputs", 0) * inputs + setting.get("users", 0) * users + setting["more"]
        return {name: value(setting) for name, setting in found.items()}

    def length(self, origin):
        """Mean length of prompts and outputs over the stated one."""
        return next((one["mean"] for name, one in self.services["lengths"].items() if origin.startswith(name)), 1)

    def precision(self, plan):
        """{"settings": flags of the tool, "peer": arguments of the peer} of a plan's formats."""
        kinds = self.model(plan.model)["precisions"]
        if plan.precision not in kinds:
            raise Unmapped(f"{plan.model} in {plan.precision}")
        found = self.services["precisions"][kinds[plan.precision]]
        for board, other in found.get("boards", {}).items():
            if plan.gpu.startswith(board):
                found = self.services["precisions"][other]
        return found

    def options(self, plan):
        """Flags of the tool, without those of a step."""
        options = {"target": f"{plan.gpu}-bf16", "software": plan.software, "kv-cache": "in-place", **self.precision(plan)["settings"],
                   **dict(plan.launch)}
        if plan.gpus > 1:
            options.update(gpus=plan.gpus, parallel="ep" if plan.replicated else "tp")
        return options

    def peer_options(self, plan):
        """Arguments of the peer's `cli_estimate`."""
        model = self.model(plan.model)
        if plan.gpu not in self.services["peer_gpus"]:
            raise Unmapped(f"{plan.gpu} of the peer")
        options = {"model_path": model["peer"], "system_name": self.services["peer_gpus"][plan.gpu],
                   "backend_name": plan.stack, **self.precision(plan)["peer"]}
        if plan.replicated:
            options.update(tp_size=1, attention_dp_size=plan.gpus, moe_tp_size=1, moe_ep_size=plan.gpus)
        else:
            options.update(tp_size=plan.gpus)
            if model.get("experts"):
                options.update(moe_tp_size=plan.gpus, moe_ep_size=1)
        return options


def whole(text, what):
    """A positive integer of a column."""
    try:
        value = int(float(text))
    except ValueError:
        raise Unmapped(f"no {what}") from None
    if value < 1:
        raise Unmapped(f"{what} of {value}")
    return value


def plan_of(manifest, row, prefix=""):
    """The plan in columns `tp`, `ep` and of data parallel attention, those of the decode or prefill workers with a `prefix`."""
    stack, tp, ep = row["stack"].removeprefix("dynamo-"), row[prefix + "tp"], row[prefix + "ep"]
    if row.get("pp") not in ("", "0", "1", None):
        raise Unmapped("stages of a pipeline")
    copies = row[f"{prefix}dp_attention" if prefix else "dp_attention_used"].lower() in ("yes", "true")
    width, experts = whole(tp or "0", f"{prefix}tp"), int(float(ep or 1))
    gpus = max(width, experts) if copies else width
    if gpus > 8 and not copies:
        raise Unmapped(f"tensor parallelism over {gpus} GPUs")
    if gpus > 8:
        raise Unmapped(f"experts on {gpus} GPUs of several nodes")
    software = software_of(stack, manifest.version(stack, row["version"], row["date"]))
    launch = manifest.launch(row.get("origin", ""), stack)
    if experts == width > 1 and not copies and stack in manifest.services["whole_experts"]["stacks"]:
        launch += WHOLE
    plan = Plan(row["model"], row["gpu"].rstrip("?"), row["precision"].rstrip("?"), stack, software, gpus, copies and gpus > 1, launch)
    if plan.replicated and not manifest.model(plan.model).get("experts"):
        raise Unmapped("data parallel attention without experts")
    manifest.precision(plan)
    return plan


def loop_of(manifest, row, users):
    """((flag, value), ...) of the closed loop of a row."""
    inputs, outputs = (whole(row[name], name) for name in ("isl", "osl"))
    flags = {"users": users, "input-tokens": inputs, "output-tokens": outputs, **manifest.loop(row, inputs, users)}
    return tuple(sorted(flags.items()))


def service_of(manifest, row):
    """The service of a row of services.csv."""
    mean = manifest.length(row.get("origin", ""))
    inputs, outputs = (round(mean * whole(row[name], name)) for name in ("isl", "osl"))
    concurrency = whole(row["concurrency"] or "0", "concurrency")
    measured = {"tpot": float(row["tpot_ms"]), "ttft": float(row["ttft_ms"])}
    if row["output_tok_s_estimate"] and row["gpus"]:
        measured["rate"] = float(row["output_tok_s_estimate"]) / float(row["gpus"])
    if row["serving"] == "aggregated":
        plan = plan_of(manifest, row)
        loop = loop_of(manifest, row, plan.local(concurrency))
        return Service(row, plan, plan, inputs, outputs, concurrency, 1, loop, measured)
    plan, prompts = plan_of(manifest, row, "decode_"), plan_of(manifest, row, "prefill_")
    return Service(row, plan, prompts, inputs, outputs, concurrency, whole(row["decode_workers"] or "0", "number of workers"), (),
                   measured)


def of_more(row):
    """A row of extra/serving.csv with the columns of services.csv; None: a copy of a row there, or another quality."""
    version = re.search(r"v?(\d+\.\d+\.\d+\S*)", row["software"].split(":")[-1])
    disaggregated = row["disaggregated"] == "True"
    found = dict(row, model="deepseek-r1", stack={"trt": "trtllm", "dynamo-trt": "trtllm"}.get(row["engine"], row["engine"]),
                 version=version.group(1) if version else "", isl=row["input_len"], osl=row["output_len"],
                 speculative="yes" if "mtp" in row["notes"] else "no", dp_attention_used=row["dp_attention"],
                 serving="disaggregated" if disaggregated else "aggregated", tpot_ms=row["tpot_ms_mean"], ttft_ms=row["ttft_ms_median"],
                 output_tok_s_estimate=row["output_tok_s_total"], flag="", origin="InferenceX app")
    return None if disaggregated or not row["tpot_ms_mean"] else found


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def services(manifest, rows):
    """([Service], [(row, reason)])."""
    found, skipped = [], []
    for row in rows:
        try:
            found.append(service_of(manifest, row))
        except Unmapped as reason:
            skipped.append((row, str(reason)))
    return found, skipped
