import { escapeHtml } from './html.ts';

/** One row of a transition table: what `domain/payment-transitions.ts` says of a move. */
export interface StateMove {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly keeps?: readonly string[];
  readonly events: readonly string[];
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

interface Place {
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

const NODE = { width: 172, height: 34 };
const GAP = { x: 150, y: 46 };
const MARGIN = 24;
/** Edges that lead back run below everything, one lane each. */
const LANE = 26;

/** The moves as an SVG: statuses as boxes from left to right, arrows with the names of the moves. */
export function stateDiagram(moves: Readonly<Record<string, StateMove>>, title: string): string {
  const edges = edgesOf(moves);
  const places = placesOf(edges);
  const back = edges.filter(({ from, to }) => places.get(from)!.column >= places.get(to)!.column);
  const right = Math.max(...[...places.values()].map(({ x }) => x)) + NODE.width + MARGIN;
  const floor = Math.max(...[...places.values()].map(({ y }) => y)) + NODE.height;
  const height = floor + MARGIN + back.length * LANE;
  const drawn = edges.map((edge) => {
    const lane = back.indexOf(edge);
    const [from, to] = [places.get(edge.from)!, places.get(edge.to)!];
    return lane < 0 ? forward(edge, from, to) : backward(edge, from, to, floor + 16 + lane * LANE);
  });
  const boxes = [...places].map(([status, place]) => box(status, place));
  const size = `width="${right}" height="${height}" viewBox="0 0 ${right} ${height}"`;
  return `<svg class="states" role="img" aria-label="${escapeHtml(title)}" ${size} xmlns="http://www.w3.org/2000/svg">
<defs><marker id="arrow" class="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="arrow" d="M0 0 8 4 0 8z"/></marker></defs>
${drawn.map(({ line }) => line).join('\n')}
${boxes.join('\n')}
${drawn.map(({ label }) => label).join('\n')}
</svg>`;
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

/** Columns by the fewest moves from where nothing leads to, rows by the order of appearance. */
function placesOf(edges: readonly Edge[]): Map<string, Place> {
  const columns = columnsOf(edges);
  const used = new Map<number, number>();
  const heights = Object.groupBy(columns.values(), (column) => column);
  const tallest = Math.max(...Object.values(heights).map((column) => column!.length));
  const places = new Map<string, Place>();
  for (const [status, column] of columns) {
    const row = used.get(column) ?? 0;
    used.set(column, row + 1);
    const top = ((tallest - heights[column]!.length) * (NODE.height + GAP.y)) / 2;
    const y = MARGIN + top + row * (NODE.height + GAP.y);
    places.set(status, { column, x: MARGIN + column * (NODE.width + GAP.x), y });
  }
  return places;
}

function columnsOf(edges: readonly Edge[]): Map<string, number> {
  const targets = new Set(edges.map(({ to }) => to));
  const starts = edges.map(({ from }) => from).filter((status) => !targets.has(status));
  let wave = new Set(starts.length > 0 ? starts : [edges[0]!.from]);
  const columns = new Map<string, number>();
  for (let column = 0; wave.size > 0; column += 1) {
    for (const status of wave) columns.set(status, column);
    const next = edges.filter(({ from, to }) => wave.has(from) && !columns.has(to)).map(({ to }) => to);
    wave = new Set(next);
  }
  return columns;
}

interface Drawn {
  readonly line: string;
  readonly label: string;
}

function forward({ label }: Edge, from: Place, to: Place): Drawn {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  const bend = (x2 - x1) / 2;
  return {
    line: path(`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`),
    label: text(x1 + (x2 - x1) * 0.5, y1 + (y2 - y1) * 0.5 - 5, label),
  };
}

/** Down from one box, along a lane below all boxes, and up into the other. */
function backward({ label }: Edge, from: Place, to: Place, lane: number): Drawn {
  const x1 = from.x + NODE.width * 0.66;
  const x2 = to.x + NODE.width * 0.33;
  const line = `M${x1} ${from.y + NODE.height} V${lane} H${x2} V${to.y + NODE.height}`;
  return { line: path(line), label: text((x1 + x2) / 2, lane - 4, label) };
}

function path(d: string): string {
  return `<path d="${d}" marker-end="url(#arrow)"/>`;
}

function text(x: number, y: number, label: string): string {
  return `<text class="move" x="${x}" y="${y}" text-anchor="middle">${escapeHtml(label)}</text>`;
}

function box(status: string, { x, y }: Place): string {
  const middle = `x="${x + NODE.width / 2}" y="${y + NODE.height / 2 + 4}" text-anchor="middle"`;
  return `<g><rect x="${x}" y="${y}" width="${NODE.width}" height="${NODE.height}" rx="8"/><text ${middle}>${escapeHtml(status)}</text></g>`;
}

/** `fail_capture` → `fail capture`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}
