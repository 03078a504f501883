// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of `generate`: latency, energy and memory of a pipeline, and the share of each network.

/** Colours of networks, in turn. */
const stageStyles = [ "bound-tensor", "bound-dram", "bound-l2", "bound-power", "bound-issue", "bound-fp32", "links" ];

const settingOfRun = (report) => `batch ${format.count(report.batch)}` + (report.context ? `, ${report.context}` : "");

function generationCards(report) {
  const least = report.phases.some((phase) => phase.time_is_lower_bound);
  const fits = report.device_bytes <= report.usable_bytes;
  const range = (low, high, write) => intervalLine(low, high, write);
  return h(
      "div", {class : "cards"},
      card("Latency of the batch", format.ms(report.latency_ms),
           [
             least ? "at least: some ops have no cost" : range(report.latency_low_ms, report.latency_high_ms, format.ms),
             `${format.number(report.outputs_per_s)} ${report.output}s/s`
           ],
           intervalBar(report.latency_ms, report.latency_low_ms, report.latency_high_ms),
           {id : "card-latency", class : "card main"}),
      card(`Energy per ${report.output}`, format.joules(report.energy_per_output_j),
           [ range(report.energy_per_output_low_j, report.energy_per_output_high_j, format.joules), "of all GPUs" ],
           intervalBar(report.energy_per_output_j, report.energy_per_output_low_j, report.energy_per_output_high_j),
           {id : "card-energy"}),
      card("Power of a GPU", format.watts(report.power_per_gpu_w), [ "average over the batch" ], null, {id : "card-power"}),
      card("Memory of a GPU", format.bytes(report.device_bytes),
           [
             h("strong", {class : fits ? "good" : "bad"},
               (fits ? "✓ fits in " : "✗ does not fit in ") + format.bytes(report.usable_bytes)),
             `${format.bytes(report.parameter_bytes)} of parameters`
           ],
           intervalBar(report.device_bytes, null, null, report.usable_bytes), {id : "card-memory"}));
}

const stageColumns = [
  [ "stage", (phase) => shorten(phase.name, 80) ], [ "calls", (phase) => format.count(phase.calls), true ],
  [ "samples of a call", (phase) => format.count(phase.samples), true ],
  [ "GPUs", (phase) => format.count(phase.gpus), true ], [ "time", (phase) => format.ms(phase.time_ms), true ],
  [ "of a call", (phase) => format.ms(phase.time_ms / phase.calls), true ],
  [ "GPU busy", (phase) => format.ms(phase.gpu_busy_ms), true ], [ "host", (phase) => format.ms(phase.host_ms), true ],
  [ "energy", (phase) => format.joules(phase.energy_j), true ],
  [ "parameters", (phase) => format.bytes(phase.parameter_bytes), true ],
  [ "working memory", (phase) => format.bytes(phase.working_bytes), true ]
];

function stageSection(report) {
  const parts = (key) => report.phases.map((phase, i) => ({
                                             name : shorten(phase.name, 60),
                                             value : phase[key],
                                             style : stageStyles[i % stageStyles.length]
                                           }));
  return section("stages", "Stages", "All calls of each network for the batch, one after the other.",
                 h("h3", {}, `time: ${format.ms(report.latency_ms)}`),
                 h("div", {id : "stage-time"}, stackedBar("time", parts("time_ms"), format.ms)),
                 h("h3", {}, `energy of all GPUs: ${format.joules(d3.sum(report.phases, (phase) => phase.energy_j))}`),
                 h("div", {id : "stage-energy"}, stackedBar("energy", parts("energy_j"), format.joules)),
                 plainTable("stage-table", "stages", stageColumns, report.phases));
}

const runColumns = [
  [ "run", settingOfRun ], [ "GPUs", (run) => format.count(run.gpus), true ],
  [ "latency", (run) => format.ms(run.latency_ms), true ],
  [ "outputs/s", (run) => format.number(run.outputs_per_s), true ],
  [ "energy per output", (run) => format.joules(run.energy_per_output_j), true ],
  [ "power of a GPU", (run) => format.watts(run.power_per_gpu_w), true ],
  [ "memory of a GPU", (run) => format.bytes(run.device_bytes), true ]
];

function showGeneration(page, {reports}) {
  const shown = h("div", {});
  const show = (report) => shown.replaceChildren(
      ...[generationCards(report), stageSection(report), notesSection(report.notes)].filter(Boolean));
  const [first] = reports;
  const gpus = (report) => (report.gpus > 1 ? `${format.count(report.gpus)} ${report.target}` : report.target);
  const title = h("small", {}, "");
  const choose = (i) => {
    title.textContent = ` on ${gpus(reports[i])}, ${settingOfRun(reports[i])}`;
    show(reports[i]);
  };
  page.append(h("header", {id : "headline"},
                h("div", {class : "title"},
                  h("div", {}, h("h1", {}, shorten(lastPart(first.pipeline), 80), title),
                    h("p", {class : "how"}, `${plural(first.steps, "denoising step")}`)),
                  themeSwitch())),
              ...(reports.length > 1
                      ? [ section("runs", "Runs", "Every batch and every split of an output over GPUs.",
                                  plainTable("run-table", "runs", runColumns, reports),
                                  h("div", {class : "controls"},
                                    picker("details of", reports.map((report, i) => [String(i), settingOfRun(report)]), "0",
                                           (i) => choose(Number(i))))) ]
                      : []),
              shown);
  choose(0);
}
