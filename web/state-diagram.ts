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

/** Width of a guide's text on a wide screen, in pixels. Diagrams are spread to this width. */
const PAGE = 800;
/**
 * Largest width for a phone: of 360 px, a diagram has 320, and labels of 12 px become 9.6. A wider diagram scrolls, because
 * a smaller scale would not be readable.
 */
const PHONE = 400;
const SMALLEST_SCALE = 0.8;

/**
 * Draws the moves as two SVGs, one for wide and one for narrow pages: boxes for statuses, and arrows with labels. `name` must
 * be unique on the page.
 */
export function stateDiagram(
  moves: Readonly<Record<string, StateMove>>,
  title: string,
  name: string,
): string {
  const edges = edgesOf(moves);
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

/** One edge per pair of statuses, with the labels of all its moves. Moves that do not change the status have no edge. */
function edgesOf(moves: Readonly<Record<string, StateMove>>): Edge[] {
  const edges = new Map<string, Edge>();
  for (const [name, { from, to }] of Object.entries(moves)) {
    for (const [source, target] of from.flatMap((a) => to.map((b) => [a, b] as const))) {
      if (source === target) continue;
      const known = edges.get(`${source} ${target}`)?.labels ?? [];
      const labels = [...known, wordsOf(name, source)];
      edges.set(`${source} ${target}`, { from: source, to: target, labels });
    }
  }
  return [...edges.values()];
}
