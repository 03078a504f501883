// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and names as text.
"use strict";

/** Three significant digits without an exponent: 0.0123, 1.23, 12.3, 123, 1,234. */
function digits(value) {
  if (value === 0)
    return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  const decimals = Math.min(12, Math.max(0, 2 - size));
  const text = value.toFixed(decimals);
  const [whole, rest] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return rest ? grouped + "." + rest : grouped;
}

/** `value` in the largest of `units` ([factor, name], descending) that does not exceed it. */
function inUnit(value, units) {
  if (value === null || value === undefined || !isFinite(value))
    return "unknown";
  if (value === 0)
    return "0";
  const size = Math.abs(value);
  // 999.7 would print as 1,000, so use the next unit.
  const unit = units.find(([ factor ]) => size >= factor * 0.9995) || units[units.length - 1];
  return digits(value / unit[0]) + " " + unit[1];
}

const timeUnits = [ [ 1, "s" ], [ 1e-3, "ms" ], [ 1e-6, "µs" ], [ 1e-9, "ns" ] ];
const energyUnits =
    [ [ 3.6e6, "kWh" ], [ 1e3, "kJ" ], [ 1, "J" ], [ 1e-3, "mJ" ], [ 1e-6, "µJ" ], [ 1e-9, "nJ" ] ];
const massUnits = [ [ 1e6, "t" ], [ 1e3, "kg" ], [ 1, "g" ], [ 1e-3, "mg" ], [ 1e-6, "µg" ] ];
const byteUnits =
    [ [ 2 ** 40, "TiB" ], [ 2 ** 30, "GiB" ], [ 2 ** 20, "MiB" ], [ 2 ** 10, "KiB" ], [ 1, "B" ] ];
const trafficUnits = [ [ 1e12, "TB" ], [ 1e9, "GB" ], [ 1e6, "MB" ], [ 1e3, "kB" ], [ 1, "B" ] ];
const flopUnits = [
  [ 1e15, "PFLOP" ], [ 1e12, "TFLOP" ], [ 1e9, "GFLOP" ], [ 1e6, "MFLOP" ], [ 1e3, "kFLOP" ], [ 1, "FLOP" ]
];

const format = {
  seconds : (s) => inUnit(s, timeUnits),
  ms : (ms) => inUnit(ms === null ? null : ms * 1e-3, timeUnits),
  us : (us) => inUnit(us === null ? null : us * 1e-6, timeUnits),
  joules : (j) => inUnit(j, energyUnits),
  grams : (g) => inUnit(g, massUnits),
  hours : (hours) => inUnit(hours === null ? null : hours * 3600, [ [ 3600, "h" ], ...timeUnits ]),
  watts : (w) => inUnit(w, [ [ 1, "W" ] ]),
  mhz : (f) => inUnit(f, [ [ 1, "MHz" ] ]),
  bytes : (b) => inUnit(b, byteUnits),
  traffic : (b) => inUnit(b, trafficUnits),
  flops : (f) => inUnit(f, flopUnits),
  flopRate : (f) => inUnit(f, flopUnits.map(([ factor, name ]) => [factor, name + "/s"])),
  byteRate : (f) => inUnit(f, trafficUnits.map(([ factor, name ]) => [factor, name + "/s"])),
  count : (n) => (n === null || n === undefined ? "unknown" : n.toLocaleString("en-US")),
  number : (n) => (n === null || n === undefined || !isFinite(n) ? "unknown" : digits(n)),
  share : (f) => (f === null || f === undefined || !isFinite(f) ? "unknown" : digits(100 * f) + " %"),
  change : (f) => (f === null || !isFinite(f) ? ""
                   : f >= 10                  ? "× " + digits(1 + f)
                                              : (f > 0   ? "+"
                                                 : f < 0 ? "−"
                                                         : "") +
                                                    digits(Math.abs(100 * f)) + " %"),
};

/** A number of an axis: "5 ms", not "5.00 ms". */
const tick = (text) => text.replace(/(\.\d*?)0+(?= |$)/, "$1").replace(/\.(?= |$)/, "");

/** The last part of a path, or the folder of a config.json, which most repositories have. */
const lastPart = (path) => {
  const name = path.replace(/(.)\/(config\.json)?$/, "$1");
  return name.slice(name.lastIndexOf("/") + 1) || path;
};

/** "11.9 to 14.6 ms"; "" if the interval is unknown. */
function interval(low, high, write) {
  if (low === null || high === null || low === undefined || high === undefined)
    return "";
  const [a, unitA] = splitUnit(write(low));
  const [b, unitB] = splitUnit(write(high));
  return unitA === unitB ? `${a} to ${b} ${unitB}` : `${a} ${unitA} to ${b} ${unitB}`;
}

function splitUnit(text) {
  const space = text.lastIndexOf(" ");
  return space < 0 ? [ text, "" ] : [ text.slice(0, space), text.slice(space + 1) ];
}

/** At most `most` characters of a name, which may have a million. */
function shorten(text, most = 120) {
  text = String(text);
  if (text.length <= most)
    return text;
  const head = Math.ceil(most * 0.6);
  return text.slice(0, head) + "…" + text.slice(text.length - (most - head - 1));
}

/** Width of small text in pixels. */
const measure = document.createElement("canvas").getContext("2d");
function textWidth(text) {
  if (!textWidth.font)
    measure.font = textWidth.font = "12px " + getComputedStyle(document.body).fontFamily;
  return measure.measureText(text).width;
}

/** `text` clipped to `width` pixels of small print; "" if none of it is readable. */
function fitText(text, width) {
  const room = width - 8;
  if (room < 20)
    return "";
  text = text.slice(0, Math.ceil(room / 2));
  if (textWidth(text) <= room)
    return text;
  let [fits, tooLong] = [ 0, text.length ];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (textWidth(text.slice(0, middle) + "…") <= room)
      fits = middle;
    else
      tooLong = middle;
  }
  return fits < 2 ? "" : text.slice(0, fits) + "…";
}

/** Bounds of kernels and iterations: key, name and explanation, in order. */
const bounds = [
  [ "tensor", "tensor cores", "matrix arithmetic at the rate of the tensor cores" ],
  [ "fp32", "FP32 units", "arithmetic at the rate of the CUDA cores" ],
  [ "issue", "instruction issue", "instruction issue rate of the SMs" ],
  [ "l2", "L2 cache", "data between the L2 cache and the SMs" ],
  [ "dram", "DRAM", "data between memory and the L2 cache" ],
  [ "latency", "latency", "fixed times of a launch: start, drain, waits" ],
  [ "power", "power limit", "the power limit of the board" ],
  [ "host", "host", "the GPU waits until the host launches" ],
  [ "network", "network", "links between GPUs or nodes" ],
  [ "unknown", "unknown", "unknown bound" ],
];
const boundNames = new Map(bounds.map(([ key, name ]) => [key, name]));
const boundName = (key) => boundNames.get(key) || key;
/** The class that colours a bound. */
const boundClass = (key) => "bound-" + (boundNames.has(key) ? key : "unknown");
