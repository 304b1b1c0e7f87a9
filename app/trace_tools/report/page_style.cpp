#include "app/trace_tools/report/page_parts.hpp"

namespace troupe {

std::string_view page_style() noexcept {
  return R"css(
:root {
  color-scheme: light dark;
  --paper: #faf9f6; --panel: #ffffff; --ink: #1b1d22; --soft: #565c69; --line: #e2e0da; --track: #eeece6;
  --good: #17703c; --bad: #b3261e; --wait: #d11a4a;
  --reader: #5b5fd6; --loader: #2371c4; --augmenter: #0b8478; --collator: #5a861c; --trainer: #d1500c;
  --validator: #9a3fb0; --saver: #a8741a; --logger: #6b7280; --supervisor: #475569;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a; --panel: #1c1f25; --ink: #eceae4; --soft: #a3a9b5; --line: #2f343d; --track: #272b33;
    --good: #6fd298; --bad: #ff8d85; --wait: #ff5f86;
    --reader: #9a9dff; --loader: #6bb1f7; --augmenter: #41cdbd; --collator: #a2d15a; --trainer: #ff8f52;
    --validator: #d98cec; --saver: #e5b559; --logger: #a7aebb; --supervisor: #9fb0c8;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5; font-size: 15px;
  font-family: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans",
    sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
main { max-width: 1080px; margin: 0 auto; padding: clamp(24px, 5vw, 56px) clamp(16px, 4vw, 40px) 64px; }
h1, h2, h3, p, figure { margin: 0; }
h1 { font-size: clamp(26px, 4.5vw, 38px); line-height: 1.15; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { font-size: 19px; letter-spacing: -0.01em; line-height: 1.3; }
h3 { font-size: 15px; margin-top: 24px; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code.copy { user-select: all; -webkit-user-select: all; background: var(--track); padding: 2px 6px; border-radius: 4px;
  white-space: nowrap; }
.eyebrow { font-size: 12px; font-weight: 600; letter-spacing: 0.08em; text-transform: uppercase; color: var(--soft); }
.meta { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 10px; color: var(--soft); align-items: center; }
.status { font-weight: 600; color: var(--soft); }
.status::before { content: ""; display: inline-block; width: 9px; height: 9px; border-radius: 50%;
  background: currentColor; margin-right: 7px; }
.status.good { color: var(--good); }
.status.bad { color: var(--bad); }
.verdict { margin-top: 32px; background: var(--panel); border: 1px solid var(--line); border-left: 6px solid var(--c);
  border-radius: 10px; padding: clamp(18px, 3vw, 30px); }
.verdict h2 { font-size: clamp(22px, 3.4vw, 32px); letter-spacing: -0.02em; line-height: 1.2; margin-top: 6px;
  text-wrap: balance; }
.verdict p::first-letter { text-transform: uppercase; }
.verdict .eyebrow { font-size: 12px; margin: 0; }
.verdict p:not(.eyebrow) { margin-top: 10px; font-size: 16px; max-width: 74ch; overflow-wrap: anywhere; }
.verdict .steps { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 12px; margin-top: 16px; }
.verdict .steps b { font-size: 22px; letter-spacing: -0.01em; }
.verdict .steps span { color: var(--soft); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 1px; margin-top: 16px;
  background: var(--line); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.tile { background: var(--panel); padding: 14px 18px; }
.tile dt { font-size: 13px; color: var(--soft); }
.tile dd { margin: 2px 0 0; font-size: 24px; font-weight: 600; letter-spacing: -0.01em; line-height: 1.25; }
.tile dd small { display: block; font-size: 13px; font-weight: 400; letter-spacing: 0; color: var(--soft); }
section { margin-top: 48px; }
.lead { color: var(--soft); max-width: 76ch; margin-top: 4px; overflow-wrap: anywhere; }
.note { margin-top: 10px; padding: 8px 12px; border-left: 3px solid var(--saver); background: var(--track);
  border-radius: 0 6px 6px 0; max-width: 80ch; overflow-wrap: anywhere; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; margin-top: 14px;
  padding: 16px clamp(12px, 2vw, 20px); }
.chart { display: block; overflow: visible; }
.chart text { font-size: 12px; fill: var(--soft); }
.chart .strong { fill: var(--ink); font-weight: 600; }
.chart .halo { stroke: var(--panel); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
.plot { display: grid; grid-template-columns: 1fr 46px; gap: 0 8px; }
.grid { stroke: var(--line); }
.axis { stroke: var(--soft); }
.fill { fill: var(--c); }
.faint { fill: var(--c); fill-opacity: 0.16; }
.stroke { fill: none; stroke: var(--c); stroke-width: 1.75; stroke-linejoin: round; }
.hover { fill: transparent; }
.hover:hover { fill: var(--ink); fill-opacity: 0.07; }
.spike { fill: var(--bad); stroke: var(--panel); stroke-width: 1.5; }
.mark { fill: var(--saver); }
.track { fill: var(--track); }
.wait { fill: var(--wait); }
.phase { fill: var(--c); }
.gap { fill: var(--soft); fill-opacity: 0.35; }
.unknown { fill: url(#gap); }
.border { stroke: var(--ink); stroke-dasharray: 3 3; }
.ground { stroke: var(--soft); stroke-opacity: 0.45; }
.lane, .bar { display: grid; grid-template-columns: 188px 1fr 62px; gap: 0 12px; align-items: center; font-size: 13px; }
.lane { min-height: 24px; }
.lane .chart { shape-rendering: crispEdges; }
.bar { min-height: 30px; }
.lane .name, .bar .name { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.lane .name::before, .bar .name::before, .swatch { content: ""; display: inline-block; width: 9px; height: 9px;
  border-radius: 2px; background: var(--c, transparent); margin-right: 7px; }
.lane .num, .bar .num { text-align: right; color: var(--soft); white-space: nowrap; }
.lane.sub .name { color: var(--soft); }
.lane.sub .name::before { background: none; }
.lane.plain .name::before { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 13px; color: var(--soft); margin-top: 10px; }
.swatch.band { opacity: 0.3; }
.swatch.round { border-radius: 50%; }
.queues { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr)); gap: 20px 28px; }
.queues figcaption { display: flex; justify-content: space-between; gap: 8px; font-size: 13px; margin-bottom: 4px; }
.queues .num { color: var(--soft); white-space: nowrap; }
.samples { display: grid; grid-template-columns: repeat(auto-fill, minmax(138px, 1fr)); gap: 20px 16px; margin-top: 14px; }
.samples img, .samples .empty { display: block; width: 100%; aspect-ratio: 1; object-fit: contain; border-radius: 8px;
  background: var(--track); border: 1px solid var(--line); }
.samples img.small { image-rendering: pixelated; }
.samples .empty { display: grid; place-items: center; color: var(--soft); font-size: 12px; padding: 8px;
  text-align: center; overflow: hidden; overflow-wrap: anywhere; }
.samples figcaption { font-size: 13px; color: var(--soft); margin-top: 6px; line-height: 1.4; overflow-wrap: anywhere; }
.samples b { display: block; color: var(--ink); font-size: 15px; }
.samples .path { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; direction: rtl;
  text-align: left; }
.scroll { overflow-x: auto; margin-top: 12px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
caption { text-align: left; color: var(--soft); padding-bottom: 6px; }
th, td { text-align: right; padding: 6px 0 6px 20px; border-bottom: 1px solid var(--line); vertical-align: baseline;
  white-space: nowrap; }
th { color: var(--soft); font-weight: 600; font-size: 12.5px; }
.text { text-align: left; padding: 6px 20px 6px 0; }
.wrap { white-space: normal; overflow-wrap: anywhere; min-width: 180px; }
footer { margin-top: 56px; padding-top: 16px; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px; }
#tip { position: fixed; z-index: 9; pointer-events: none; max-width: 320px; background: var(--ink); color: var(--paper);
  font-size: 12.5px; line-height: 1.4; padding: 5px 9px; border-radius: 6px; }
.r-reader { --c: var(--reader); } .r-loader { --c: var(--loader); } .r-augmenter { --c: var(--augmenter); }
.r-collator { --c: var(--collator); } .r-trainer { --c: var(--trainer); } .r-validator { --c: var(--validator); }
.r-saver { --c: var(--saver); } .r-logger { --c: var(--logger); } .r-supervisor { --c: var(--supervisor); }
.r-stage { --c: var(--augmenter); } .r-listener { --c: var(--logger); } .r-other { --c: var(--logger); }
.w { --c: var(--wait); }
.b { --c: var(--bad); }
@media (max-width: 640px) {
  .lane, .bar { grid-template-columns: 1fr auto; padding: 3px 0; }
  .lane .name, .bar .name { grid-row: 1; }
  .lane .num, .bar .num { grid-row: 1; }
  .lane .chart, .bar .chart { grid-row: 2; grid-column: 1 / -1; }
  .phase-name { display: none; }
}
@media print { #tip { display: none; } section, .panel { break-inside: avoid; } }
)css";
}

std::string_view page_script() noexcept {
  return R"js(
(function () {
  "use strict";
  var tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  document.body.appendChild(tip);
  document.querySelectorAll("svg title").forEach(function (title) {
    var shape = title.parentNode;
    shape.dataset.tip = title.textContent;
    shape.setAttribute("aria-label", title.textContent);
    title.remove();
  });
  document.addEventListener("pointermove", function (event) {
    var shape = event.target.closest ? event.target.closest("[data-tip]") : null;
    tip.hidden = shape === null;
    if (shape === null) return;
    tip.textContent = shape.dataset.tip;
    var left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
    var top = event.clientY - tip.offsetHeight - 12;
    tip.style.left = Math.max(left, 8) + "px";
    tip.style.top = Math.max(top, 8) + "px";
  });
  document.addEventListener("pointerleave", function () { tip.hidden = true; });
})();
)js";
}

} // namespace troupe
