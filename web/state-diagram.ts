import { escapeHtml } from './html.ts';
import type { Drawing, Edge } from './state-shapes.ts';
import { tallDiagram } from './tall-state-diagram.ts';

/** One row of a transition table: what `domain/payment-transitions.ts` says of a move. */
export interface StateMove {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly keeps?: readonly string[];
  readonly events: readonly string[];
}

/**
 * The widest that a phone shows: of its 360 px a diagram has 320, on which labels of 12 px keep 9.6. What is wider
 * scrolls instead, since nobody could read it.
 */
const WIDEST = 400;
const SMALLEST_SCALE = 0.8;

/** The moves as an SVG: statuses as boxes, arrows with the names of the moves. */
export function stateDiagram(moves: Readonly<Record<string, StateMove>>, title: string): string {
  const edges = edgesOf(moves);
  const { elements, left, width, height } = drawingOf(edges, stepsOf(edges));
  const size = `width="${width}" height="${height}" viewBox="${left} 0 ${width} ${height}"`;
  const style = `style="min-width: ${Math.floor(width * SMALLEST_SCALE)}px"`;
  return `<svg class="states" role="img" aria-label="${escapeHtml(title)}" ${size} ${style} xmlns="http://www.w3.org/2000/svg">
<defs><marker id="arrow" class="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="arrow" d="M0 0 8 4 0 8z"/></marker></defs>
${elements.join('\n')}
</svg>`;
}

/** Statuses of one step stand side by side where there is room for them, and for the arrows past them. */
function drawingOf(edges: readonly Edge[], steps: ReadonlyMap<string, number>): Drawing {
  const hasCompany = (status: string) =>
    [...steps].some(([other, step]) => other !== status && step === steps.get(status));
  const isFree = edges.every(
    ({ from, to }) => steps.get(to)! - steps.get(from)! === 1 || !(hasCompany(from) || hasCompany(to)),
  );
  const drawing = tallDiagram(edges, steps);
  if (isFree && drawing.width <= WIDEST) return drawing;
  return tallDiagram(edges, new Map([...steps.keys()].map((status, row) => [status, row])));
}

/** One edge per pair of statuses; moves that share it share its label. What stays where it is has no edge. */
function edgesOf(moves: Readonly<Record<string, StateMove>>): Edge[] {
  const labels = new Map<string, Edge>();
  for (const [name, { from, to }] of Object.entries(moves)) {
    for (const [source, target] of from.flatMap((a) => to.map((b) => [a, b] as const))) {
      if (source === target) continue;
      const known = labels.get(`${source} ${target}`);
      const label = known === undefined ? wordsOf(name) : `${known.label}, ${wordsOf(name)}`;
      labels.set(`${source} ${target}`, { from: source, to: target, label });
    }
  }
  return [...labels.values()];
}

/** How many moves each status is away, at most, from where nothing leads to; the first come first. */
function stepsOf(edges: readonly Edge[]): Map<string, number> {
  const targets = new Set(edges.map(({ to }) => to));
  const starts = edges.map(({ from }) => from).filter((status) => !targets.has(status));
  const steps = new Map<string, number>();
  const path: string[] = [];
  const visit = (status: string) => {
    // What comes round to itself leads back; it moves nothing further down.
    if (path.includes(status) || (steps.get(status) ?? -1) >= path.length) return;
    steps.set(status, path.length);
    path.push(status);
    for (const { from, to } of edges) if (from === status) visit(to);
    path.pop();
  };
  for (const start of starts.length > 0 ? starts : [edges[0]!.from]) visit(start);
  return new Map([...steps].toSorted(([, a], [, b]) => a - b));
}

/** `fail_capture` → `fail capture`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}
