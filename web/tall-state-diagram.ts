import { arrow, box, CHARACTER, type Drawing, type Edge, labelText, MARGIN, NODE } from './state-shapes.ts';

/** Between the rows, and between the boxes of one. */
const GAP = { x: 24, y: 58 };
/** From the boxes to the first lane, and from a label to the next lane. */
const LANE = { first: 20, next: 12 };

interface Place {
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

interface Lane {
  readonly edge: Edge;
  readonly x: number;
}

/**
 * Statuses as rows from top to bottom, for a story of several steps: it fits a phone. Arrows to the next row run straight;
 * those that pass a row run in lanes on the right, those that lead back in lanes on the left.
 */
export function tallDiagram(edges: readonly Edge[], rows: ReadonlyMap<string, number>): Drawing {
  const places = placesOf(rows);
  const span = ({ from, to }: Edge) => places.get(to)!.row - places.get(from)!.row;
  const shortFirst = edges.toSorted((a, b) => Math.abs(span(a)) - Math.abs(span(b)));
  const right = lanesOf(
    shortFirst.filter((edge) => span(edge) === 0 || span(edge) > 1),
    1,
    places,
  );
  const left = lanesOf(
    shortFirst.filter((edge) => span(edge) < 0),
    -1,
    places,
  );
  const straight = edges.filter((edge) => span(edge) === 1);
  const drawn = [
    ...straight.map((edge) => down(edge, places)),
    ...right.lanes.map((lane) => around(lane, 1, places)),
    ...left.lanes.map((lane) => around(lane, -1, places)),
  ];
  const boxes = [...places].map(([status, place]) => box(status, place));
  const bottom = Math.max(...[...places.values()].map(({ y }) => y)) + NODE.height;
  return {
    elements: [...drawn.map(({ line }) => line), ...boxes, ...drawn.map(({ label }) => label)],
    left: left.end - MARGIN / 2,
    width: right.end - left.end + MARGIN,
    height: bottom + MARGIN,
  };
}

/** Around x = 0. */
function placesOf(rows: ReadonlyMap<string, number>): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const [row, members] of Map.groupBy(rows.keys(), (status) => rows.get(status)!)) {
    for (const [i, status] of members.entries()) {
      const middle = (i - (members.length - 1) / 2) * (NODE.width + GAP.x);
      places.set(status, { row, x: middle - NODE.width / 2, y: MARGIN + row * (NODE.height + GAP.y) });
    }
  }
  return places;
}

/** A lane for each edge, from the boxes outwards, each with room for its label; `end` is where the last label ends. */
function lanesOf(edges: readonly Edge[], side: 1 | -1, places: ReadonlyMap<string, Place>) {
  const widest = Math.max(...[...places.values()].map(({ x }) => x + NODE.width));
  let end = side * widest;
  const lanes = edges.map((edge): Lane => {
    const x = end + side * (end === side * widest ? LANE.first : LANE.next);
    end = x + side * (6 + Math.max(...linesOf(edge.label).map((line) => line.length)) * CHARACTER);
    return { edge, x };
  });
  return { lanes, end };
}

function down({ from, to, label }: Edge, places: ReadonlyMap<string, Place>) {
  const [a, b] = [places.get(from)!, places.get(to)!];
  const [x1, y1] = [a.x + NODE.width / 2, a.y + NODE.height];
  const [x2, y2] = [b.x + NODE.width / 2, b.y];
  const middle = (y1 + y2) / 2;
  // Towards the outer of the two boxes, so that the labels of arrows that part or meet do not.
  const aside = x1 === x2 ? 0 : Math.abs(x2) > Math.abs(x1) ? 0.1 : -0.1;
  return {
    line: arrow(`M${x1} ${y1} C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`),
    label: labelText(x1 + (x2 - x1) * (0.5 + 2.2 * aside), middle + 1 + aside * (y2 - y1), label.split(', ')),
  };
}

/** Out of the side of a box, along its lane, and into the same side of the other. */
function around({ edge, x }: Lane, side: 1 | -1, places: ReadonlyMap<string, Place>) {
  const [from, to] = [places.get(edge.from)!, places.get(edge.to)!];
  const edgeOf = (place: Place) => place.x + (side === 1 ? NODE.width : 0);
  const [y1, y2] = [from.y + NODE.height * 0.7, to.y + NODE.height * 0.3];
  return {
    line: arrow(`M${edgeOf(from)} ${y1} H${x} V${y2} H${edgeOf(to)}`),
    label: labelText(x + side * 6, (y1 + y2) / 2 + 4, linesOf(edge.label), side === 1 ? 'start' : 'end'),
  };
}

/** One word a line: a lane is no wider than its longest word. */
function linesOf(label: string): string[] {
  return label.split(', ').flatMap((move, i, all) => {
    const words = move.split(' ');
    return i < all.length - 1 ? [...words.slice(0, -1), `${words.at(-1)},`] : words;
  });
}
