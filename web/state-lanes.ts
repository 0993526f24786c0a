import { CHARACTER, type Edge } from './state-shapes.ts';

/** From the boxes to the first lane, from a lane to its label, and from a label to the next lane. */
const ROOM = { first: 18, label: 6, next: 10 };

/** Arrows beside the boxes that share one line, since they share their end and their label. */
export interface Lane {
  readonly edges: readonly Edge[];
  readonly side: 1 | -1;
  /** From the outermost box to the line, in pixels. */
  readonly offset: number;
}

/** The lanes of all arrows that do not run straight, the short ones inside. What leads back runs on the left. */
export function lanesOf(edges: readonly Edge[], rows: ReadonlyMap<string, number>): Lane[] {
  const span = ({ from, to }: Edge) => rows.get(to)! - rows.get(from)!;
  const shared = Map.groupBy(edges, (edge) => `${edge.to}, ${span(edge) > 0}: ${edge.label}`);
  const bundles = [...shared.values()].filter((bundle) => bundle.some((edge) => span(edge) !== 1));
  const reach = (bundle: readonly Edge[]) => Math.max(...bundle.map((edge) => Math.abs(span(edge))));
  const leadsBack = bundles.some((bundle) => span(bundle[0]!) < 0);
  const lanes: Lane[] = [];
  for (const [i, bundle] of bundles.toSorted((a, b) => reach(a) - reach(b)).entries()) {
    // Where nothing leads back, both sides are free.
    const isLeft = leadsBack ? span(bundle[0]!) < 0 : i % 2 === 1;
    const side = isLeft ? -1 : 1;
    const beside = lanes.filter((lane) => lane.side === side && overlap(lane.edges, bundle, rows));
    const offset = beside.length === 0 ? ROOM.first : Math.max(...beside.map(endOf)) + ROOM.next;
    lanes.push({ edges: bundle, side, offset });
  }
  return lanes;
}

/** How far the labels of one side reach beyond the boxes, in pixels. */
export function roomOf(lanes: readonly Lane[], side: 1 | -1): number {
  return Math.max(0, ...lanes.filter((lane) => lane.side === side).map(endOf));
}

/** One word a line: a lane is no wider than its longest word. */
export function linesOf(label: string): string[] {
  return label.split(', ').flatMap((move, i, all) => {
    const words = move.split(' ');
    return i < all.length - 1 ? [...words.slice(0, -1), `${words.at(-1)},`] : words;
  });
}

function endOf({ offset, edges }: Lane): number {
  return offset + ROOM.label + Math.max(...linesOf(edges[0]!.label).map((line) => line.length)) * CHARACTER;
}

/** Whether two bundles pass the same row. One may begin beside the box where the other ends. */
function overlap(a: readonly Edge[], b: readonly Edge[], rows: ReadonlyMap<string, number>): boolean {
  const [one, other] = [a, b].map((bundle) =>
    bundle.flatMap(({ from, to }) => [rows.get(from)!, rows.get(to)!]),
  ) as [number[], number[]];
  return Math.min(...one) < Math.max(...other) && Math.min(...other) < Math.max(...one);
}
