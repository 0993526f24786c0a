import { type Lane, lanesOf, linesOf, roomOf } from './state-lanes.ts';
import {
  arrow,
  box,
  boxWidth,
  type Drawing,
  type Edge,
  LINE,
  labelText,
  MARGIN,
  NODE_HEIGHT,
} from './state-shapes.ts';

/** Between the boxes of a row; between rows that no arrow joins, and where one does, beside the lines of its label. */
const GAP = { x: 24, between: 18, joined: 36 };

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

type Places = ReadonlyMap<string, Place>;

/**
 * Statuses as rows from top to bottom, so that they fit a phone. Arrows to the next row run straight; all others, and
 * those that they share their end and their label with, run in lanes beside the boxes.
 */
export function tallDiagram(edges: readonly Edge[], rows: ReadonlyMap<string, number>): Drawing {
  const lanes = lanesOf(edges, rows);
  const straight = edges.filter((edge) => !lanes.some((lane) => lane.edges.includes(edge)));
  const places = placesOf(rows, edges, straight);
  const right = Math.max(...[...places.values()].map(({ x, width }) => x + width));
  const bottom = Math.max(...[...places.values()].map(({ y }) => y)) + NODE_HEIGHT;
  const drawn = [
    ...straight.map((edge) => down(edge, places)),
    ...lanes.map((lane) => around(lane, right, places)),
  ];
  const boxes = [...places].map(([status, place]) => box(status, place));
  const [before, after] = ([-1, 1] as const).map((side) => right + roomOf(lanes, side) + MARGIN) as [
    number,
    number,
  ];
  return {
    elements: [...drawn.map(({ line }) => line), ...boxes, ...drawn.map(({ label }) => label)],
    left: -Math.ceil(before),
    width: Math.ceil(before) + Math.ceil(after),
    height: bottom + MARGIN,
  };
}

/** Around x = 0. */
function placesOf(
  rows: ReadonlyMap<string, number>,
  edges: readonly Edge[],
  straight: readonly Edge[],
): Places {
  const width = boxWidth(rows.keys());
  const places = new Map<string, Place>();
  let y = MARGIN;
  for (const [row, members] of Map.groupBy(rows.keys(), (status) => rows.get(status)!)) {
    for (const [i, status] of members.entries()) {
      const middle = (i - (members.length - 1) / 2) * (width + GAP.x);
      places.set(status, { x: middle - width / 2, y, width });
    }
    const isBack = ({ from, to }: Edge) => rows.get(from) === row + 1 && rows.get(to) === row;
    const labels = [
      ...straight.filter(({ from }) => rows.get(from) === row).map(({ label }) => label.split(', ')),
      ...edges.filter(isBack).map(({ label }) => linesOf(label).slice(1)),
    ];
    const lines = Math.max(0, ...labels.map((label) => label.length));
    y += NODE_HEIGHT + (lines === 0 ? GAP.between : GAP.joined + lines * LINE);
  }
  return places;
}

function down({ from, to, label }: Edge, places: Places) {
  const [a, b] = [places.get(from)!, places.get(to)!];
  const [x1, y1] = [a.x + a.width / 2, a.y + NODE_HEIGHT];
  const [x2, y2] = [b.x + b.width / 2, b.y];
  const middle = (y1 + y2) / 2;
  // Towards the outer of the two boxes, so that the labels of arrows that part or meet do not.
  const aside = x1 === x2 ? 0 : Math.abs(x2) > Math.abs(x1) ? 0.1 : -0.1;
  return {
    line: arrow(`M${x1} ${y1} C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`),
    label: labelText(x1 + (x2 - x1) * (0.5 + 2.2 * aside), middle + 1 + aside * (y2 - y1), label.split(', ')),
  };
}

/** Out of the side of a box, along its lane, and into the same side of the other; who shares the lane joins it. */
function around({ edges, side, offset }: Lane, right: number, places: Places) {
  const x = side * (right + offset);
  const edgeOf = (place: Place) => place.x + (side === 1 ? place.width : 0);
  const target = places.get(edges[0]!.to)!;
  const distance = ({ from }: Edge) => Math.abs(places.get(from)!.y - target.y);
  const [farthest, ...joining] = edges.toSorted((a, b) => distance(b) - distance(a));
  const source = places.get(farthest!.from)!;
  // The shorter way: where lanes follow each other, neither touches the next.
  const [out, into] = source.y < target.y ? [0.7, 0.3] : [0.3, 0.7];
  const [start, end] = [source.y + NODE_HEIGHT * out, target.y + NODE_HEIGHT * into];
  const lines = joining.map(({ from }) => {
    const place = places.get(from)!;
    return `<path d="M${edgeOf(place)} ${place.y + NODE_HEIGHT * out} H${x}"/>`;
  });
  lines.push(arrow(`M${edgeOf(source)} ${start} H${x} V${end} H${edgeOf(target)}`));
  const middle = (start + end) / 2 + 4;
  return {
    line: lines.join(''),
    label: labelText(x + side * 6, middle, linesOf(farthest!.label), side === 1 ? 'start' : 'end'),
  };
}
