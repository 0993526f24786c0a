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

export const NODE = { width: 172, height: 34 };
export const MARGIN = 24;
/** Width of a character of a label, and height of its line. */
export const CHARACTER = 7.3;
const LINE = 14;

type Anchor = 'start' | 'middle' | 'end';

export function arrow(d: string): string {
  return `<path d="${d}" marker-end="url(#arrow)"/>`;
}

/** A label of one or more lines, around `y`. */
export function labelText(x: number, y: number, lines: readonly string[], anchor: Anchor = 'middle'): string {
  const top = y - ((lines.length - 1) * LINE) / 2;
  const texts = lines.map((line, i) => `<tspan x="${x}" y="${top + i * LINE}">${escapeHtml(line)}</tspan>`);
  return `<text class="move" text-anchor="${anchor}">${texts.join('')}</text>`;
}

export function box(status: string, { x, y }: { readonly x: number; readonly y: number }): string {
  const middle = `x="${x + NODE.width / 2}" y="${y + NODE.height / 2 + 4}" text-anchor="middle"`;
  return `<g><rect x="${x}" y="${y}" width="${NODE.width}" height="${NODE.height}" rx="8"/><text ${middle}>${escapeHtml(status)}</text></g>`;
}
