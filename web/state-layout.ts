import { Graph, layout, type Point } from '@dagrejs/dagre';

/** An arrow between two statuses, with one label or more. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly labels: readonly string[];
}

interface Box {
  /** The center of the box. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Positions and sizes in pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly statuses: readonly (Box & { readonly status: string })[];
  readonly labels: readonly (Box & { readonly lines: readonly string[] })[];
  /** Lines through these points. Those that end at a status have an arrowhead. */
  readonly arrows: readonly { readonly points: readonly Point[]; readonly hasHead: boolean }[];
}

export type Direction = 'right' | 'down';

/** Widths of a character of a status (13 px, monospace) and of a label (12 px), and heights. */
const STATUS = { character: 7.85, room: 18, height: 36 };
const LABEL = { character: 6.7, room: 8, line: 15 };
const MARGIN = 6;
/** Most characters on a line of a label. `narrow`: if the layout from top to bottom is too wide otherwise. */
const LONGEST_LINE = { right: 10, down: 14, narrow: 10 };
/** Gaps between nodes of one rank, between arrows, and between ranks. */
const GAPS = { right: { node: 26, edge: 16, rank: 16 }, down: { node: 14, edge: 14, rank: 22 } };
/** From this number on, arrows with the same label and the same end are joined before the end, with one label. */
const MEETING = 3;

/**
 * Lays out statuses and arrows. With the direction `right`, a narrower layout is spread to `width`. With `down`, a
 * wider one gets shorter lines.
 */
export function layOut(edges: readonly Edge[], direction: Direction, width: number): Layout {
  const gap = GAPS[direction].rank;
  const tight = laidOut(edges, direction, gap);
  if (direction === 'down') return tight.width <= width ? tight : laidOut(edges, direction, gap, 'narrow');
  if (tight.width >= width) return tight;
  // The width grows in proportion to the gap between ranks; a second layout gives the factor.
  const gaps = (laidOut(edges, direction, gap + 100).width - tight.width) / 100;
  return laidOut(edges, direction, gap + (width - tight.width) / gaps);
}

function laidOut(
  edges: readonly Edge[],
  direction: Direction,
  ranksep: number,
  lines: keyof typeof LONGEST_LINE = direction,
): Layout {
  const { node: nodesep, edge: edgesep } = GAPS[direction];
  const rankdir = direction === 'right' ? 'LR' : 'TB';
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir, nodesep, edgesep, ranksep, marginx: MARGIN, marginy: MARGIN });
  for (const status of new Set(edges.flatMap(({ from, to }) => [from, to]))) {
    const width = Math.ceil(status.length * STATUS.character) + STATUS.room;
    graph.setNode(status, { width, height: STATUS.height });
  }
  for (const group of Map.groupBy(edges, ({ to, labels }) => `${to}: ${labels}`).values()) {
    addEdges(graph, group, LONGEST_LINE[lines]);
  }
  layout(graph);
  return layoutOf(graph);
}

/** Adds arrows with the same end and the same labels. */
function addEdges(graph: Graph, group: readonly Edge[], longestLine: number): void {
  const [{ to, labels }] = group as [Edge];
  const lines = wrapped(labels.join(' or '), longestLine);
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * LABEL.character) + LABEL.room;
  const label = { width, height: lines.length * LABEL.line + 4, labelpos: 'c', lines };
  if (group.length < MEETING) {
    for (const { from } of group) graph.setEdge(from, to, { ...label });
    return;
  }
  const meeting = `${to}: ${labels}`;
  graph.setNode(meeting, { width: 1, height: 1 });
  for (const { from } of group) graph.setEdge(from, meeting, { width: 0, height: 0 });
  graph.setEdge(meeting, to, label);
}

/** A text in lines of at most `longest` characters, or of one longer word. */
function wrapped(text: string, longest: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.pop();
    if (line === undefined) lines.push(word);
    else if (line.length + 1 + word.length <= longest) lines.push(`${line} ${word}`);
    else lines.push(line, word);
  }
  return lines;
}

/** An edge after the layout. */
interface Arrow extends Box {
  readonly points: readonly Point[];
  readonly lines?: readonly string[];
}

function layoutOf(graph: Graph): Layout {
  const isStatus = (node: string) => !node.includes(':');
  const statuses = (graph.nodes() as string[]).filter(isStatus);
  const arrows = (graph.edges() as { w: string }[]).map((edge) => ({
    ...(graph.edge(edge) as Arrow),
    hasHead: isStatus(edge.w),
  }));
  const { left, top, width, height } = frameOf(graph, arrows);
  const moved = <Place extends Point>(place: Place) => ({ ...place, x: place.x - left, y: place.y - top });
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    statuses: statuses.map((status) => ({ ...moved(graph.node(status) as Box), status })),
    labels: arrows.flatMap((arrow) =>
      arrow.lines === undefined ? [] : [{ ...moved(arrow), lines: arrow.lines }],
    ),
    arrows: arrows.map(({ points, hasHead }) => ({ points: points.map(moved), hasHead })),
  };
}

/** What the layout covers. The graph's own size leaves out the bends of arrows around the statuses. */
function frameOf(graph: Graph, arrows: readonly Arrow[]) {
  const { width, height } = graph.graph() as { width: number; height: number };
  const points = arrows.flatMap((arrow) => arrow.points);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const left = Math.min(0, ...xs.map((x) => x - MARGIN));
  const top = Math.min(0, ...ys.map((y) => y - MARGIN));
  const right = Math.max(width, ...xs.map((x) => x + MARGIN));
  const bottom = Math.max(height, ...ys.map((y) => y + MARGIN));
  return { left, top, width: right - left, height: bottom - top };
}
