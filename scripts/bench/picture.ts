import type { Comparison } from './compare.ts';
import { TITLES } from './tables.ts';

const WIDTH = 860;
const LEFT = 330;
const RIGHT = 60;
const BAR = 20;
const GAP = 8;
const TOP = 56;
/** The ratio at the right edge. */
const LONGEST = 2;
const ASKED = 0.9;

/** The ratios as bars: an SVG for light and dark pages. */
export function picture(comparisons: readonly Comparison[]): string {
  const x = (ratio: number) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.min(ratio, LONGEST)) / LONGEST;
  const height = TOP + comparisons.length * (BAR + GAP) + 24;
  const bars = comparisons.map(({ scenario, connections, ratio }, index) => {
    const y = TOP + index * (BAR + GAP);
    const title = connections === comparisons[0]!.connections ? TITLES[scenario].replaceAll('`', '') : '';
    return `  <text x="12" y="${y + 15}">${title}</text>
  <text x="${LEFT - 10}" y="${y + 15}" text-anchor="end" class="faint">${connections}</text>
  <rect x="${LEFT}" y="${y}" width="${Math.round(x(ratio) - LEFT)}" height="${BAR}" rx="3"/>
  <text x="${Math.round(x(ratio)) - 8}" y="${y + 15}" text-anchor="end" class="inside">${ratio.toFixed(2)}</text>`;
  });
  const line = (
    ratio: number,
    words: string,
  ) => `  <line x1="${x(ratio)}" x2="${x(ratio)}" y1="${TOP - 10}" y2="${height - 18}"/>
  <text x="${x(ratio)}" y="${TOP - 16}" text-anchor="middle" class="faint">${words}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img"
  aria-label="Requests a second of the service over the baseline, by operation and number of connections">
  <style>
    svg { font: 14px system-ui, sans-serif; background: #fff; fill: #1b1f24; }
    rect { fill: #2f6f4f; }
    line { stroke: #b3541e; stroke-dasharray: 4 4; }
    .inside { fill: #fff; }
    .faint { fill: #5b636d; font-size: 12px; }
  </style>
  <rect width="${WIDTH}" height="${height}" style="fill: #fff"/>
  <text x="12" y="20" font-weight="600">Requests a second over fastify and pg by hand</text>
  <text x="${LEFT - 10}" y="${TOP - 16}" text-anchor="end" class="faint">connections</text>
${bars.join('\n')}
${line(ASKED, 'asked: 0.9')}
</svg>
`;
}
