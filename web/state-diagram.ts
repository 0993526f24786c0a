import { escapeHtml } from './html.ts';
import { arrow, box, CHARACTER, type Drawing, type Edge, labelText, MARGIN, NODE } from './state-shapes.ts';
import { tallDiagram } from './tall-state-diagram.ts';

/** One row of a transition table: what `domain/payment-transitions.ts` says of a move. */
export interface StateMove {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly keeps?: readonly string[];
  readonly events: readonly string[];
}

interface Place {
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

const GAP_Y = 40;
/** Between columns at least, and for each character of a label that stands there. */
const GAP_X = { least: 90, character: CHARACTER };
/** Edges that lead back, or past a column, run below everything, one lane each. */
const LANE = 26;
/** From this many steps on, a diagram runs from top to bottom, and where each step has one status. */
const TALL = 3;

/** The moves as an SVG: statuses as boxes, arrows with the names of the moves. */
export function stateDiagram(moves: Readonly<Record<string, StateMove>>, title: string): string {
  const edges = edgesOf(moves);
  const columns = columnsOf(edges);
  const steps = Math.max(...columns.values()) + 1;
  const isTall = steps >= TALL || steps === columns.size;
  const { elements, left, width, height } = isTall
    ? tallDiagram(edges, columns)
    : wideDiagram(edges, columns);
  const size = `width="${width}" height="${height}" viewBox="${left} 0 ${width} ${height}"`;
  // Smaller than this nobody can read it: it scrolls instead.
  const style = `style="min-width: ${Math.round(width * 0.8)}px"`;
  return `<svg class="states" role="img" aria-label="${escapeHtml(title)}" ${size} ${style} xmlns="http://www.w3.org/2000/svg">
<defs><marker id="arrow" class="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="arrow" d="M0 0 8 4 0 8z"/></marker></defs>
${elements.join('\n')}
</svg>`;
}

/** Statuses as columns from left to right. */
function wideDiagram(edges: readonly Edge[], columns: ReadonlyMap<string, number>): Drawing {
  const places = placesOf(edges, columns);
  const span = ({ from, to }: Edge) => places.get(to)!.column - places.get(from)!.column;
  const lanes = edges.filter((edge) => span(edge) !== 1);
  const right = Math.max(...[...places.values()].map(({ x }) => x)) + NODE.width + MARGIN;
  const sides = lanes.length * 5;
  const floor = Math.max(...[...places.values()].map(({ y }) => y)) + NODE.height;
  const shared = sharedLabels(edges.filter((edge) => span(edge) === 1));
  const drawn = edges.map((edge) => {
    const lane = lanes.indexOf(edge);
    const [from, to] = [places.get(edge.from)!, places.get(edge.to)!];
    return lane < 0 ? forward(edge, from, to, !shared.has(edge.to)) : aside(edge, from, to, floor, lane);
  });
  const boxes = [...places].map(([status, place]) => box(status, place));
  const below = [...shared].map(([status, label]) => {
    const { x, y } = places.get(status)!;
    return labelText(x + NODE.width / 2, y + NODE.height + 15, [label]);
  });
  return {
    elements: [...drawn.map(({ line }) => line), ...boxes, ...drawn.map(({ label }) => label), ...below],
    left: -sides,
    width: right + 2 * sides,
    height: floor + MARGIN + lanes.length * LANE,
  };
}

/** Labels that all arrows into a status have in common: written once, below its box. */
function sharedLabels(edges: readonly Edge[]): Map<string, string> {
  const groups = Object.entries(Object.groupBy(edges, ({ to }) => to));
  const common = groups.filter(
    ([, into]) => into!.length > 1 && new Set(into!.map(({ label }) => label)).size === 1,
  );
  return new Map(common.map(([status, into]) => [status, into![0]!.label]));
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

/** Columns by the most moves from where nothing leads to, rows by the order of appearance. */
function placesOf(edges: readonly Edge[], columns: ReadonlyMap<string, number>): Map<string, Place> {
  const used = new Map<number, number>();
  const heights = Object.groupBy(columns.values(), (column) => column);
  const tallest = Math.max(...Object.values(heights).map((column) => column!.length));
  const between = edges.filter(({ from, to }) => columns.get(to)! - columns.get(from)! === 1);
  const longest = Math.max(0, ...between.map(({ label }) => label.length));
  const gap = GAP_X.least + longest * GAP_X.character - 60;
  const places = new Map<string, Place>();
  for (const [status, column] of columns) {
    const row = used.get(column) ?? 0;
    used.set(column, row + 1);
    const top = ((tallest - heights[column]!.length) * (NODE.height + GAP_Y)) / 2;
    const y = MARGIN + top + row * (NODE.height + GAP_Y);
    places.set(status, { column, x: MARGIN + column * (NODE.width + gap), y });
  }
  return places;
}

function columnsOf(edges: readonly Edge[]): Map<string, number> {
  const targets = new Set(edges.map(({ to }) => to));
  const starts = edges.map(({ from }) => from).filter((status) => !targets.has(status));
  const columns = new Map<string, number>();
  const path: string[] = [];
  const visit = (status: string) => {
    // What comes round to itself leads back; it moves nothing further to the right.
    if (path.includes(status) || (columns.get(status) ?? -1) >= path.length) return;
    columns.set(status, path.length);
    path.push(status);
    for (const { from, to } of edges) if (from === status) visit(to);
    path.pop();
  };
  for (const start of starts.length > 0 ? starts : [edges[0]!.from]) visit(start);
  return columns;
}

interface Drawn {
  readonly line: string;
  readonly label: string;
}

function forward({ label }: Edge, from: Place, to: Place, isLabelled: boolean): Drawn {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  const bend = (x2 - x1) / 2;
  return {
    line: arrow(`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`),
    label: isLabelled ? labelText((x1 + x2) / 2, (y1 + y2) / 2 - 5, [label]) : '',
  };
}

/** Out to the right, down to a lane of its own below all boxes, and up to the left side of the other. */
function aside({ label }: Edge, from: Place, to: Place, floor: number, lane: number): Drawn {
  const y = floor + 22 + lane * LANE;
  const [out, back] = [from.x + NODE.width + 8 + lane * 5, to.x - 16 - lane * 5];
  const line = `M${from.x + NODE.width} ${from.y + 24} H${out} V${y} H${back} V${to.y + 24} H${to.x}`;
  return { line: arrow(line), label: labelText((out + back) / 2, y - 4, [label]) };
}

/** `fail_capture` → `fail capture`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}
