import { escapeHtml } from './html.ts';

/** An arrow between two statuses, with the names of the moves that make it. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** A diagram without its frame: SVG elements, and the room that they take in pixels. */
export interface Drawing {
  readonly elements: readonly string[];
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

export const NODE_HEIGHT = 34;
/** Around a diagram. */
export const MARGIN = 8;
/** Width of a character of a label, and height of its line. */
export const CHARACTER = 7.3;
export const LINE = 14;
/** Width of a character of a status, and what its box adds on both sides together. */
const STATUS = { character: 7.85, room: 14 };

type Anchor = 'start' | 'middle' | 'end';

/** How wide boxes must be for all of these statuses. */
export function boxWidth(statuses: Iterable<string>): number {
  const longest = Math.max(...[...statuses].map((status) => status.length));
  return Math.ceil(longest * STATUS.character) + STATUS.room;
}

export function arrow(d: string): string {
  return `<path d="${d}" marker-end="url(#arrow)"/>`;
}

/** A label of one or more lines around `y`, each on a ground of its own that covers the arrows below it. */
export function labelText(x: number, y: number, lines: readonly string[], anchor: Anchor = 'middle'): string {
  const top = y - ((lines.length - 1) * LINE) / 2;
  const grounds = lines.map((line, i) => {
    const width = line.length * CHARACTER;
    const left = anchor === 'middle' ? x - width / 2 : anchor === 'end' ? x - width : x;
    return `<rect class="ground" x="${round(left - 2)}" y="${round(top + i * LINE - 11)}" width="${round(width + 4)}" height="${LINE + 1}"/>`;
  });
  const texts = lines.map(
    (line, i) => `<tspan x="${round(x)}" y="${round(top + i * LINE)}">${escapeHtml(line)}</tspan>`,
  );
  return `${grounds.join('')}<text class="move" text-anchor="${anchor}">${texts.join('')}</text>`;
}

export function box(
  status: string,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): string {
  const middle = `x="${x + width / 2}" y="${y + NODE_HEIGHT / 2 + 4}" text-anchor="middle"`;
  return `<g><rect x="${x}" y="${y}" width="${width}" height="${NODE_HEIGHT}" rx="8"/><text ${middle}>${escapeHtml(status)}</text></g>`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
