# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Services: time per output token, time to the first token, and the order of plans.

Rows are those of wave3/aic/services.csv and wave3/extra/serving.csv (service_rows.py). In a
closed loop, each step of `concurrency` sequences also runs `concurrency / outputs` prompts:

  TPOT = step(concurrency, inputs + outputs / 2) + concurrency / outputs * prompt(1)

Requests wait if their caches do not fit: the step then has the largest batch that does, and the rate is that
of this batch. Workers of a disaggregated service that decode run no prompts. The time to the first token is that of
`gpu-cost-opt serve --users`, with the flags of the manifest's `loops`. With --peer, aiconfigurator answers the
same questions in its environment (peer_aiconfigurator.py), and the same equations use its answers.
"""
import collections
import concurrent.futures
import csv
import json
import math
import pathlib
import re
import statistics
import subprocess
import tempfile

import gates
import service_rows
from error_statistics import Errors, describe
from kernel_tables import Unmapped

# Rows that the limits are for: concurrent requests and output tokens.
MOST_CONCURRENT, LEAST_OUTPUTS = 32, 512
# Flags of rows whose time to the first token is not judged.
LATE = set("qKXZNPCdpAW")
LEAST_PLANS, LEAST_SPLITS = 6, 3
# Share of the requests that fit which run in a row that is judged.
LEAST_RUNNING = 0.4
FULL = "does not fit into the memory"
PEER = pathlib.Path(__file__).resolve().parent / "peer_aiconfigurator.py"


def questions(services):
    """{(plan, phase): (batches, tokens)} of all services: steps at all contexts, single prompts of all lengths."""
    found = collections.defaultdict(lambda: (set(), set()))
    for one in services:
        for key, batch, tokens in (((one.plan, "decode"), one.plan.local(one.batch), one.context),
                                   ((one.prompts, "prefill"), 1, one.inputs)):
            found[key][0].add(batch)
            found[key][1].add(tokens)
    return {key: tuple(map(sorted, values)) for key, values in found.items()}


def answer(status, reason, time, batch):
    """(ms, None, batch) of a point, or (None, reason, batch)."""
    if status == "ok":
        return time(), None, batch
    return None, f"tool: {FULL}" if re.search(r"does not fit|^needs .* of ", reason) else f"tool: {reason}", batch


class Tool:
    """Answers of the tool: {(plan, phase): {(batch, tokens): (ms, reason, batch)}}, with the time or the reason why there
    is none, and the largest batch up to that of the question that fits. Steps of a plan are one sweep; its prompts are
    one list of `serve`, which computes logits of the last position only."""

    def __init__(self, tool, manifest, folder):
        self.tool, self.manifest, self.folder = tool, manifest, pathlib.Path(folder)

    def path(self, model):
        path = self.folder / f"{model}.json"
        if not path.exists():
            path.write_text(json.dumps(self.manifest.configuration(model)))
        return path

    def run(self, command, plan, options):
        line = [self.tool, command, str(self.path(plan.model))]
        options = {**self.manifest.options(plan), **options}
        done = subprocess.run(line + [f"--{name}={value}" for name, value in options.items()], capture_output=True, text=True)
        if done.stdout.strip():
            return done.stdout
        raise Unmapped(answer("error", (done.stderr.strip().splitlines() or ["no message"])[-1], None, None)[1])

    def steps(self, plan, batches, tokens):
        text = self.run("sweep", plan, {"runtime": "cudagraph", "seq": 1, "batch": ",".join(map(str, batches)),
                                        "past": ",".join(map(str, tokens)), "report": "csv"})
        for row in csv.DictReader(text.splitlines()):
            batch = int(row["batch"])
            yield (batch, int(row["past"])), answer(row["status"], row["reason"], lambda: float(row["time_ms"]), batch)

    def decode(self, plan, batches, tokens):
        """The steps; those that do not fit are those of the largest batch that does."""
        found = dict(self.steps(plan, batches, tokens))
        full = [point for point, (_, reason, _) in found.items() if reason and FULL in reason]
        if not full:
            return found
        try:
            points = self.serve(plan, sorted({length for _, length in full}), {"prefill-batch": 1})
        except Unmapped:  # not even one sequence
            return found
        largest = {length: report["largest_batch"]["value"] for length, (report, _) in points if report}
        fitting = dict(self.steps(plan, sorted(set(largest.values())), sorted(largest))) if largest else {}
        for batch, length in full:
            if length in largest:
                found[batch, length] = fitting[largest[length], length]
        return found

    def serve(self, plan, tokens, options={}):
        """[(input tokens, (report, None) or (None, reason))] of one sequence."""
        text = self.run("serve", plan, {"batch": 1, "input-tokens": ",".join(map(str, tokens)), "output-tokens": 2, "contexts": 1,
                                        "report": "json", **options})
        points = [json.loads(line) for line in text.splitlines()] if len(tokens) > 1 else [{"status": "ok", "report": json.loads(text)}]
        return [(length, (point["report"], point.get("reason"))) for length, point in zip(tokens, points)]

    def prompts(self, plan, _, tokens):
        return {(1, length): answer("ok" if report else "error", reason, lambda: report["prefill"]["time_ms"], 1)
                for length, (report, reason) in self.serve(plan, tokens)}

    def loop(self, plan, flags):
        """({quantity: ms}, None) of a closed loop, or ({}, reason); requests whose caches do not fit wait."""
        options = {**dict(flags), "contexts": 2, "report": "json"}
        try:
            try:
                text = self.run("serve", plan, options)
            except Unmapped as reason:
                if FULL not in str(reason):
                    raise
                [(_, (report, _))] = self.serve(plan, [options["input-tokens"] + options["output-tokens"] - 1], {"prefill-batch": 1})
                text = self.run("serve", plan, {**options, "slots": report["largest_batch"]["value"]})
        except Unmapped as reason:
            return {}, str(reason)
        report = json.loads(text)["loop"]
        return {"ttft": report["ttft_ms"], "loop_tpot": report["tpot_ms"]}, None

    def loops(self, services, jobs):
        """{(plan, flags): as `loop`} of all services in a closed loop."""
        asked = sorted({(one.plan, one.loop) for one in services if one.loop}, key=repr)
        for plan, _ in asked:
            self.path(plan.model)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return dict(zip(asked, pool.map(lambda one: self.loop(*one), asked)))

    def ask(self, plan, phase, batches, tokens):
        try:
            return (self.decode if phase == "decode" else self.prompts)(plan, batches, tokens)
        except Unmapped as reason:
            return {(batch, length): (None, str(reason), batch) for batch in batches for length in tokens}

    def answers(self, asked, jobs):
        for plan, _ in asked:
            self.path(plan.model)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return dict(zip(asked, pool.map(lambda item: self.ask(*item[0], *item[1]), asked.items())))


def points_of(services):
    """{(plan, phase): [(batch, tokens)]} that the services need."""
    found = collections.defaultdict(set)
    for one in services:
        found[one.plan, "decode"].add((one.plan.local(one.batch), one.context))
        found[one.prompts, "prefill"].add((1, one.inputs))
    return {key: sorted(points) for key, points in found.items()}


def peer_answers(python, manifest, services, jobs):
    """The answers of the peer in the form of Tool.answers; plans that it cannot express have a reason."""
    phases, keys, plans, found = {"decode": "static_gen", "prefill": "static_ctx"}, [], [], {}
    for (plan, phase), points in points_of(services).items():
        try:
            options = manifest.peer_options(plan)
        except Unmapped as reason:
            found[plan, phase] = {point: (None, f"peer: {reason}", point[0]) for point in points}
            continue
        keys.append((plan, phase, points))
        plans.append({"options": options, "points": [{"phase": phases[phase], "batch": batch, "tokens": tokens} for batch, tokens in points]})

    def run(part):
        done = subprocess.run([python, str(PEER)], input=json.dumps(part), capture_output=True, text=True)
        if done.returncode:
            raise OSError(f"{python}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
        return json.loads(done.stdout)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(run, [plans[first::jobs] for first in range(jobs)]))
    for first, part in enumerate(parts):
        for (plan, phase, points), answer in zip(keys[first::jobs], part):
            found[plan, phase] = {point: (ms, None if ms else f"peer: {answer['error']}", point[0])
                                  for point, ms in zip(points, answer["ms"])}
    return found


def predicted(one, answers, loops=None):
    """({quantity: prediction in ms or tokens/s per GPU}, None), or ({}, reason)."""
    batch = one.plan.local(one.batch)
    step, no_step, running = answers[one.plan, "decode"][batch, one.context]
    prompt, no_prompt, _ = answers[one.prompts, "prefill"][1, one.inputs]
    if step is None or prompt is None:
        return {}, no_step or no_prompt
    entering = running / one.outputs if one.aggregated else 0
    tpot = step + entering * prompt
    found = {"step": step, "prompt": prompt, "tpot": tpot}
    if loops is None:
        found["ttft"] = prompt
    else:
        found.update(loops.get((one.plan, one.loop), ({}, None))[0])
    if one.measured.get("rate"):
        found["rate"] = one.concurrency * running / batch / tpot * 1e3 / float(one.row["gpus"])
    return {**found, "running": one.concurrency * running / batch}, None


class Judged:
    """A service with the predictions of the tool and, if asked, of the peer."""

    def __init__(self, one, tool, peer):
        self.one, self.tool, self.peer = one, tool, peer

    def error(self, what="tpot", by="tool", measured=None):
        value, true = getattr(self, by).get(what), self.one.measured.get(measured or what)
        return None if value is None or not true else 100 * (value / true - 1)

    @property
    def is_ranked(self):
        return self.one.row["quality"] in "AB" and self.one.row["speculative"] == "no" and not self.is_limited

    @property
    def is_limited(self):
        """Whether most requests waited although their caches fit, by Little's law: the service or its client runs fewer
        than stated. Some of them have a TPOT in which the GPUs cannot read weights and caches."""
        measured = self.one.measured
        running = self.one.concurrency / (1 + measured["ttft"] / (self.one.outputs * measured["tpot"]))
        return self.one.aggregated and running < LEAST_RUNNING * self.tool["running"]

    @property
    def is_judged(self):
        """Whether the limits on TPOT are for this row."""
        return self.one.aggregated and self.is_ranked and float(self.one.row["osl"]) >= LEAST_OUTPUTS

    @property
    def is_small(self):
        return self.one.concurrency <= MOST_CONCURRENT

    @property
    def is_prompt(self):
        """Whether the limit on TTFT is for this row."""
        return self.is_late_prompt and self.is_small

    @property
    def is_late_prompt(self):
        """The same with any number of users."""
        return self.one.aggregated and self.one.row["quality"] in "AB" and not LATE & set(self.one.row["flag"])


def errors(rows, what="tpot", by="tool", measured=None):
    return [error for error in (row.error(what, by, measured) for row in rows) if error is not None]


def closer(rows, what="tpot"):
    """(rows on which the tool is closer than the peer, rows that both answer)."""
    both = [pair for pair in ((row.error(what), row.error(what, "peer")) for row in rows) if None not in pair]
    return sum(abs(own) < abs(other) for own, other in both), len(both)


def ranks(values):
    """Ranks, with the mean rank of equal values."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def spearman(measured, found):
    if len(set(measured)) < 2 or len(set(found)) < 2:
        return None
    return statistics.correlation(ranks(measured), ranks(found))


def plans_of(rows, key, least):
    """[[(measured, predicted)]]: the groups of `key` with at least `least` plans, one mean pair for each plan."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        if row.tool.get("rate"):
            one = row.one
            splits = tuple(one.row[name] for name in one.row if name in SPLITS)
            plan = (splits, one.row["precision"], one.plan.stack, one.row["version"], one.row["serving"])
            groups[key(one)][plan].append((one.measured["rate"], row.tool["rate"]))
    for plans in groups.values():
        if len(plans) >= least:
            yield [tuple(map(statistics.mean, zip(*pairs))) for pairs in plans.values()]


SPLITS = ("tp", "pp", "ep", "dp_attention_used", "prefill_workers", "prefill_tp", "prefill_ep", "prefill_dp_attention",
          "decode_workers", "decode_tp", "decode_ep", "decode_dp_attention")


def traffic(one):
    return one.plan.model, one.plan.gpu, one.inputs, one.outputs, one.concurrency


def one_stack(one):
    return (*traffic(one), one.plan.stack, one.plan.precision, one.row["serving"])


def correlations(rows):
    """Spearman's correlation of tokens/s per GPU over plans, for each model, GPU and traffic."""
    found = (spearman(*zip(*plans)) for plans in plans_of(rows, traffic, LEAST_PLANS))
    return sorted(value for value in found if value is not None)


def regrets(rows):
    """Best measured rate over that of the plan that the tool chooses, for each stack and format."""
    return sorted(max(measured for measured, _ in plans) / max(plans, key=lambda pair: pair[1])[0]
                  for plans in plans_of(rows, one_stack, LEAST_SPLITS))


def accepted(rows):
    """{stack: tokens per step that speculative decoding accepts}: the one number of each stack that fits its rows."""
    found = collections.defaultdict(list)
    for row in rows:
        found[row.one.plan.stack].append(row.tool["tpot"] / row.one.measured["tpot"])
    return {stack: statistics.median(values) for stack, values in found.items()}


def read_rows(data):
    rows = service_rows.read(pathlib.Path(data) / service_rows.SERVICES)
    known = {row["dup_extra"].split(":")[-1] for row in rows if row["dup_extra"]}
    path = pathlib.Path(data) / service_rows.MORE
    more = [service_rows.of_more(row) for row in service_rows.read(path) if row["row_id"] not in known] if path.exists() else []
    return rows, [row for row in more if row]


def judge(args, rows, most_users=math.inf):
    """([Judged], [(row, reason)]), with times to the first token up to `most_users`."""
    manifest = service_rows.Manifest(args.manifest)
    found, skipped = service_rows.services(manifest, rows)
    asked = questions(found)
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(args.tool, manifest, folder)
        own, loops = tool.answers(asked, args.jobs), tool.loops([one for one in found if one.concurrency <= most_users], args.jobs)
    # The peer takes seconds for a point: it is asked about the rows with limits alone.
    wanted = [one for one in found if is_wanted(one.row)] if getattr(args, "peer", None) else []
    peer = peer_answers(args.peer, manifest, wanted, args.jobs) if wanted else {}
    judged = []
    for one in found:
        answer, reason = predicted(one, own, loops)
        no_loop = loops.get((one.plan, one.loop), ({}, None))[1]
        if no_loop:
            print(f"no closed loop for row {one.row['row_id']}: {no_loop}")
        if reason:
            skipped.append((one.row, reason))
        else:
            judged.append(Judged(one, answer, predicted(one, peer)[0] if peer and is_wanted(one.row) else {}))
    return judged, skipped


def table(title, rows, key, with_peer, what="tpot", measured=None):
    print(f"== {title}")
    groups = collections.defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    for name, part in [*sorted(groups.items()), (("all",), rows)]:
        line = f"{' '.join(map(str, name)):58s} n {len(part):4d} {describe(errors(part, what, measured=measured))}"
        if with_peer:
            own, both = closer(part, what)
            line += f" | peer {describe(errors(part, what, 'peer'))} closer {own} of {both}"
        print(line)


def figures(judged, skipped):
    """[(name, value, unit, rows, at least)] of the quantities with limits."""
    rows = [row for row in judged if row.is_judged]
    small = [row for row in rows if row.is_small]
    for width in (1, 2, 4, 8):
        found = errors(row for row in small if row.one.plan.gpus == width)
        if found:
            yield f"TPOT, {width} GPUs", Errors(found).mean, " %", len(found), False
    if rows:
        yield "TPOT, all concurrencies", Errors(errors(rows)).mean, " %", len(rows), False
    without = sum(1 for row, _ in skipped if is_wanted(row))
    if small or without:
        yield "rows with TPOT that map", 100 * len(small) / (len(small) + without), " %", len(small) + without, True
    own, both = closer(small)
    if both:
        yield "closer than the peer", 100 * own / both, " %", both, True
    prompts = errors((row for row in judged if row.is_prompt), "ttft")
    if prompts:
        yield "TTFT, median", Errors(prompts).median, " %", len(prompts), False
    ranked = [row for row in judged if row.is_ranked]
    order = correlations(ranked)
    if order:
        yield "Spearman over plans, median", statistics.median(order), "", len(order), True
        yield "Spearman over plans, 10th percentile", order[int(0.1 * (len(order) - 1))], "", len(order), True
    lost = regrets(ranked)
    if lost:
        yield "regret over splits, median", statistics.median(lost), "", len(lost), False
        yield "regret over splits, worst", lost[-1], "", len(lost), False


def is_wanted(row):
    """Whether the limits on TPOT at few users are for a row of the table."""
    return (row["serving"] == "aggregated" and row["quality"] in "AB" and row["speculative"] == "no"
            and float(row["concurrency"] or "inf") <= MOST_CONCURRENT and float(row["osl"]) >= LEAST_OUTPUTS)


MUSTS = {"TPOT, 1 GPUs": 12, "TPOT, 2 GPUs": 12, "TPOT, 4 GPUs": 14, "TPOT, 8 GPUs": 15, "TPOT, all concurrencies": 18,
         "rows with TPOT that map": 95, "closer than the peer": 65, "TTFT, median": 20, "Spearman over plans, median": 0.9,
         "Spearman over plans, 10th percentile": 0.7, "regret over splits, median": 1.1, "regret over splits, worst": 1.3}


def limited(found, limits, prefix="services: "):
    for name, value, unit, count, at_least in found:
        if name in limits:
            yield gates.Check(prefix + name, value, limits[name], unit, count, at_least)


def print_tables(judged, peer):
    rows = [row for row in judged if row.is_judged]
    small = [row for row in rows if row.is_small]
    table("TPOT by GPUs, few users", small, lambda row: (row.one.plan.gpus,), peer)
    table("TPOT by model, precision, stack, release and board, few users", small,
          lambda row: (row.one.plan.model, row.one.plan.precision, row.one.plan.software, row.one.plan.gpu), peer)
    table("the same by GPUs", small, lambda row: (row.one.plan.model, row.one.plan.precision, row.one.plan.software,
                                                  row.one.plan.gpu, row.one.plan.gpus), peer)
    table("TPOT by concurrency", rows, lambda row: (f"{row.one.concurrency:5d}",), peer)
    fast = [row for row in judged if row.one.row["speculative"] == "yes" and row.one.aggregated and row.one.row["quality"] in "AB"]
    rates = accepted(fast)
    for stack, rate in sorted(rates.items()):
        part = [100 * (row.tool["tpot"] / rate / row.one.measured["tpot"] - 1) for row in fast if row.one.plan.stack == stack]
        print(f"speculative decoding, {stack}: {rate:.2f} tokens per step n {len(part)} {describe(part)}")
    apart = [row for row in judged if not row.one.aggregated and row.one.row["quality"] in "AB"]
    print(f"not judged: {sum(row.is_limited for row in judged)} rows that run fewer requests than stated")
    table("TPOT of disaggregated services", apart, lambda row: (row.one.plan.model, row.one.plan.gpu, row.one.row["speculative"]), peer)
    prompts = [row for row in judged if row.is_prompt and "ttft" in row.tool]
    table("TTFT by model, stack and lengths, few users", prompts,
          lambda row: (row.one.plan.model, row.one.plan.stack, row.one.row["isl"], row.one.row["osl"]), peer, "ttft")
    table("TTFT by users", [row for row in judged if row.is_late_prompt and "ttft" in row.tool],
          lambda row: (f"{row.one.concurrency:5d}",), peer, "ttft")
    table("TPOT of the closed loop by GPUs, few users", [row for row in small if row.tool.get("loop_tpot")],
          lambda row: (row.one.plan.gpus,), False, "loop_tpot", "tpot")


def run(args):
    rows, more = read_rows(args.data)
    judged, skipped = judge(args, rows)
    print_tables(judged, args.peer)
    for reason, count in collections.Counter(reason for _, reason in skipped).most_common():
        wanted = sum(is_wanted(row) for row, other in skipped if other == reason)
        print(f"not mapped: {count} rows, {wanted} of them with a limit: {reason}")
    if more:
        others, without = judge(args, more, 0)
        table("TPOT of the second collection", [row for row in others if row.is_judged],
              lambda row: (row.one.plan.gpu, row.one.plan.precision, row.one.plan.software, row.one.plan.gpus), args.peer)
        print(f"not mapped: {len(without)} rows of the second collection")
    for check in limited(figures(judged, skipped), MUSTS):
        print(check.text().replace("gate:", "must:"))
    if args.rows:
        write_rows(args.rows, judged)
    return 0 if judged else 1


def write_rows(path, judged):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["row_id", "model", "gpu", "precision", "software", "gpus", "inputs", "outputs", "concurrency", "measured_tpot_ms",
                      "tpot_ms", "step_ms", "prompt_ms", "measured_ttft_ms", "ttft_ms", "running", "peer_tpot_ms", "peer_step_ms", "peer_prompt_ms"])
        for row in judged:
            one = row.one
            out.writerow([one.row["row_id"], one.plan.model, one.plan.gpu, one.plan.precision, one.plan.software, one.plan.gpus, one.inputs,
                          one.outputs, one.concurrency, one.measured["tpot"], *(row.tool[name] for name in ("tpot", "step", "prompt")),
                          one.measured["ttft"], row.tool.get("ttft", ""), row.tool["running"],
                          *(row.peer.get(name, "") for name in ("tpot", "step", "prompt"))])


# Limits of continuous integration: just beyond the current figures.
GATES = {"TPOT, 1 GPUs": 8.6, "TPOT, 2 GPUs": 10.7, "TPOT, 4 GPUs": 10.1, "TPOT, 8 GPUs": 11.3, "TPOT, all concurrencies": 11.7,
         "rows with TPOT that map": 99, "TTFT, median": 16.5, "Spearman over plans, 10th percentile": 0.88,
         "regret over splits, worst": 1.3}


def checks(args, data):
    """The figures of the tool."""
    return limited(figures(*judge(args, read_rows(data)[0], MOST_CONCURRENT)), GATES)
