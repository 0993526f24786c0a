import type { Point } from '@dagrejs/dagre';
import { escapeHtml } from './html.ts';
import type { Layout } from './state-layout.ts';

const LINE = 15;

/** A layout as SVG elements. `id` names the arrowhead: an arrowhead of a hidden diagram is not drawn. */
export function drawingOf({ width, height, statuses, labels, arrows }: Layout, id: string) {
  const head = `<defs><marker id="${id}" class="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="arrow" d="M0 0 8 4 0 8z"/></marker></defs>`;
  const elements = [
    head,
    ...arrows.map(({ points, hasHead }) => {
      const end = hasHead ? ` marker-end="url(#${id})"` : '';
      return `<path d="${curve(points)}"${end}/>`;
    }),
    ...labels.map(labelHtml),
    ...statuses.map(statusHtml),
  ];
  return { width, height, elements };
}

/** A curve from the first point to the last, bent at the points between them. */
function curve(points: readonly Point[]): string {
  const [first, ...others] = points as [Point, ...Point[]];
  const last = others.pop() ?? first;
  const bends = others.map((point, i) => {
    const next = others[i + 1];
    const to = next === undefined ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(to)}`;
  });
  return [`M${at(first)}`, ...(bends.length > 0 ? bends : [`L${at(last)}`])].join(' ');
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

/** Lines of text on a background that covers the arrows. */
function labelHtml({ x, y, width, height, lines }: Layout['labels'][number]): string {
  const top = y - ((lines.length - 1) * LINE) / 2 + 4;
  const texts = lines.map(
    (line, i) => `<tspan x="${round(x)}" y="${round(top + i * LINE)}">${escapeHtml(line)}</tspan>`,
  );
  const ground = `<rect class="ground" x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${width}" height="${height}"/>`;
  return `${ground}<text class="move" text-anchor="middle">${texts.join('')}</text>`;
}

function statusHtml({ x, y, width, height, status }: Layout['statuses'][number]): string {
  const box = `x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${width}" height="${height}"`;
  return `<g><rect ${box} rx="8"/><text x="${round(x)}" y="${round(y + 4)}" text-anchor="middle">${escapeHtml(status)}</text></g>`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
