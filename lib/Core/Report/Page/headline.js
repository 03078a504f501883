// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result: time, power, energy, memory, each with its 80 % interval.

/** A bar from 0 to the end of the interval, with the interval and the value in it. */
function intervalBar(value, low, high, limit) {
  const known = low !== null && high !== null;
  const most = Math.max(limit || 0, known ? high : value, value) * (limit ? 1 : 1.1) || 1;
  const at = (x) => Math.min(100, (100 * x) / most) + "%";
  const bar = h("div", {class : "interval", "aria-hidden" : "true"});
  const place = (name, left, width) => {
    const part = h("i", {class : name});
    part.style.left = left;
    if (width)
      part.style.width = width;
    bar.append(part);
  };
  place("amount", "0%", at(value));
  if (known)
    place("range", at(low), (100 * (Math.min(high, most) - low)) / most + "%");
  if (limit)
    place("limit", at(limit));
  return bar;
}

function card(name, value, lines, bar, attributes = {}) {
  const [number, unit] = splitUnit(value);
  return h("div", {class : "card", ...attributes}, h("h2", {}, name),
           h("p", {class : "number", "data-value" : value}, number, unit ? h("small", {}, " " + unit) : null),
           bar, lines.filter(Boolean).map((line) => h("p", {class : "note"}, line)));
}

/** The card of a choice: its settings instead of a number. */
function choiceCard(text, ...notes) {
  return h("div", {class : "card main", id : "choice"}, h("h2", {}, "Choice"),
           h("p", {class : `number choice-text${text.length > 40 ? " long" : ""}`}, text),
           notes.map((note) => h("p", {class : "note"}, note)));
}

/** 80 % interval as text. */
function intervalLine(low, high, write) {
  const text = interval(low, high, write);
  return text ? "80 %: " + text : "interval unknown";
}

function timeCard(i) {
  const bound = i.time_is_lower_bound ? "at least: not every op has a cost"
                                      : intervalLine(i.time_low_ms, i.time_high_ms, format.ms);
  return card("Time per iteration", format.ms(i.time_ms), [ bound ],
              intervalBar(i.time_ms, i.time_low_ms, i.time_high_ms), {id : "card-time", class : "card main"});
}

function powerCard(i) {
  const clock =
      `at ${format.mhz(i.clock_mhz)}` + (i.power_limit_unreachable ? ", which still exceeds the limit"
                                         : i.throttled             ? ", held back by the power limit"
                                                                   : ", not held back");
  return card("Average power", format.watts(i.avg_power_w),
              [
                intervalLine(i.avg_power_low_w, i.avg_power_high_w, format.watts),
                `limit ${format.watts(i.power_limit_w)}; ${clock}`
              ],
              intervalBar(i.avg_power_w, i.avg_power_low_w, i.avg_power_high_w, i.power_limit_w),
              {id : "card-power"});
}

function energyCard(i) {
  return card(
      "Energy per iteration", format.joules(i.energy_j),
      [
        intervalLine(i.energy_low_j, i.energy_high_j, format.joules),
        i.samples > 0 ? format.joules(i.energy_per_sample_j) + " per sample" : "",
        i.world_size > 1 ? format.joules(i.energy_all_gpus_j) + " on all " + i.world_size + " GPUs" : ""
      ],
      intervalBar(i.energy_j, i.energy_low_j, i.energy_high_j), {id : "card-energy"});
}

/** The usable memory and what it is a part of. */
function memoryLimit(i) {
  const [usable, total, nominal] =
      [ i.memory_usable_bytes, i.memory_reported_bytes, i.memory_capacity_bytes ].map(format.bytes);
  const behind = [ usable !== total ? "of " + total : "", total !== nominal ? "nominal " + nominal : "" ].filter(Boolean);
  return usable + (behind.length ? ` (${behind.join("; ")})` : "");
}

function memoryCard(i) {
  const fits = {"fits" : "✓ fits in ", "may-not-fit" : "may not fit in ", "does-not-fit" : "✗ does not fit in "};
  const range = interval(i.device_low_bytes, i.device_high_bytes, format.bytes);
  return card("Memory of the device", format.bytes(i.device_bytes),
              [
                h("strong", {class : i.memory_verdict === "fits" ? "good" : "bad"},
                  fits[i.memory_verdict] + memoryLimit(i)),
                i.memory_is_lower_bound ? "at least: ops are not modelled" : "",
                `${format.bytes(i.peak_memory_bytes)} of tensors; ${range} with allocator and context`
              ],
              intervalBar(i.device_bytes, i.device_low_bytes, i.device_high_bytes, i.memory_usable_bytes),
              {id : "card-memory", class : i.fits_in_memory ? "card" : "card full"});
}

/** A sentence on the bound of the iteration, and one on possible improvements. */
function verdict(report) {
  const i = report.iteration;
  const parts = Object.entries(i.bound_fractions)
                    .filter(([, share ]) => share >= 0.005)
                    .slice(0, 3)
                    .map(([ key, share ]) => `${boundName(key)} for ${format.share(share)}`);
  const sentences =
      [ i.bound === "host"
            ? `The host limits the iteration: it needs ${format.ms(i.host_ms)} for ${
                  format.count(i.launches)} launches, the GPU ${format.ms(i.gpu_busy_ms)}.`
            : `The GPU limits the iteration: it is busy for ${format.ms(i.gpu_busy_ms)}; the host needs ${
                  format.ms(i.host_ms)} for ${format.count(i.launches)} launches.` ];
  if (parts.length)
    sentences.push(` Kernels are limited by ${parts.join(", ")} of their time.`);
  if (i.samples > 0)
    sentences.push(` ${format.number(i.samples_per_s)} samples/s${
                       i.tokens > 0 ? `, ${format.number(i.tokens_per_s)} tokens/s` : ""}; `,
                   h("abbr", {title : "matrix FLOPs / (dense peak x time)"}, "MFU"),
                   ` ${format.share(i.mfu)}.`);
  if (report.hint)
    sentences.push(` At ${format.mhz(report.hint.clock_mhz)} it would take ${
        format.ms(report.hint.time_ms)} and ${format.joules(report.hint.energy_j)}.`);
  if (!i.fits_in_memory)
    sentences.unshift(h("strong", {class : "bad"}, "It does not fit in the memory of this GPU."),
                      " The numbers are for a GPU with more memory. ");
  return sentences;
}

/** Time as one bar: kernels by bound, then the rest. */
function timeParts(report) {
  const i = report.iteration;
  const parts = new Map();
  for (const kernel of report.kernels)
    if (kernel.phase !== "communication")
      parts.set(kernel.bound, (parts.get(kernel.bound) || 0) + kernel.total_us * 1e-3);
  const list = bounds.filter(([ key ]) => parts.has(key))
                   .map(([ key, name ]) => ({name, value : parts.get(key), style : boundClass(key)}));
  list.push({name : "between kernels", value : i.gap_ms, style : "between"},
            {name : "waits for the host", value : i.host_wait_ms, style : boundClass("host")},
            {name : "exposed communication", value : i.exposed_communication_ms, style : "links"});
  return list;
}

const timeBar = (report) => stackedBar("time", timeParts(report), format.ms);

function headline(report) {
  const i = report.iteration;
  const bindings =
      Object.entries(report.bindings).slice(0, 8).map(([
                                                        name, value
                                                      ]) => `${shorten(name, 40)} = ${format.count(value)}`);
  const how = [
    report.mode, report.software, report.runtime === "cudagraph" ? "CUDA graph" : report.runtime + " runtime",
    report.parallelism ? shorten(report.parallelism, 60) : "", ...bindings
  ].filter(Boolean);
  return h(
      "header", {id : "headline"},
      h("div", {class : "title"},
        h("div", {},
          h("h1", {}, h("span", {title : shorten(report.model, 500)}, shorten(lastPart(report.model), 80)),
            h("small", {}, ` on ${report.target}, ${report.format}`)),
          h("p", {class : "how"}, how.join(" · "), h("br"), shorten(report.precision, 300))),
        themeSwitch()),
      h("div", {class : "cards"}, timeCard(i), powerCard(i), energyCard(i), memoryCard(i)),
      h("p", {class : "verdict"}, verdict(report)),
      h("p", {id : "accuracy", class : "how"}, `Accuracy: ${shorten(report.accuracy.text, 600)}`), timeBar(report));
}
