import { escapeHtml } from './html.ts';
import { wordsOf } from './move-words.ts';
import { drawingOf } from './state-drawing.ts';
import type { Edge } from './state-layout.ts';
import { layOut } from './state-layout.ts';

/** One row of a transition table, as in `domain/payments/payment-status-moves.ts`. */
export interface StateMove {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly keeps?: readonly string[];
  readonly events: readonly string[];
}

/** An arrow of a diagram: a move that changes a status. */
export interface StateChange {
  readonly move: string;
  readonly from: string;
  readonly to: string;
}

/** Width of a guide's text on a wide screen, in pixels. Diagrams are spread to this width. */
const PAGE = 800;
/**
 * Largest width for a phone: of 360 px, a diagram has 320, and labels of 12 px become 9.6. A wider diagram scrolls,
 * because a smaller scale would not be readable.
 */
const PHONE = 400;
const SMALLEST_SCALE = 0.8;

/**
 * Draws the changes as two SVGs, one for wide and one for narrow pages: boxes for statuses, and arrows with labels.
 * `name` must be unique on the page.
 */
export function stateDiagram(changes: readonly StateChange[], title: string, name: string): string {
  const edges = edgesOf(changes);
  const tall = layOut(edges, 'down', PHONE);
  // If the diagram from top to bottom is too wide for a phone, the one from left to right can be narrower.
  const narrow = tall.width <= PHONE ? tall : narrowest(tall, layOut(edges, 'right', PHONE));
  const wide = svg(drawingOf(layOut(edges, 'right', PAGE), `${name}-wide`), title, 'wide');
  return `${wide}\n${svg(drawingOf(narrow, `${name}-narrow`), title, 'narrow')}`;
}

function narrowest<Sized extends { readonly width: number }>(a: Sized, b: Sized): Sized {
  return b.width < a.width ? b : a;
}

function svg({ width, height, elements }: ReturnType<typeof drawingOf>, title: string, kind: string): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const style = `style="min-width: ${Math.floor(width * SMALLEST_SCALE)}px"`;
  return `<svg class="states ${kind}" role="img" aria-label="${escapeHtml(title)}" ${size} ${style} xmlns="http://www.w3.org/2000/svg">
${elements.join('\n')}
</svg>`;
}

/** Every change that a table lists. Moves that do not change the status are left out. */
export function changesOf(moves: Readonly<Record<string, StateMove>>): StateChange[] {
  return Object.entries(moves).flatMap(([move, { from: sources, to: targets }]) =>
    sources.flatMap((from) => targets.filter((to) => to !== from).map((to) => ({ move, from, to }))),
  );
}

/** One edge per pair of statuses, with the labels of all its moves. */
function edgesOf(changes: readonly StateChange[]): Edge[] {
  const pairs = Map.groupBy(changes, ({ from, to }) => `${from} ${to}`);
  return [...pairs.values()].map((pair) => {
    const { from, to } = pair[0]!;
    return { from, to, labels: [...new Set(pair.map(({ move }) => wordsOf(move, from)))] };
  });
}
