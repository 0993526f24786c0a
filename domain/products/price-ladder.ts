import { isCentavos } from '../money.ts';

/** A band of a price ladder: the price of the billing cycles from `start` to `end`, both included. */
export interface PriceBand {
  /** Cycles count from 1. */
  readonly start: number;
  /** Null: the band has no end. */
  readonly end: number | null;
  /** The price of one cycle. */
  readonly amount_centavos: number;
}

/** The maximum of bands in a ladder. */
const MAX_BANDS = 50;

/** A broken rule. `band` is an index; null if the rule is about the whole ladder. */
export interface LadderProblem {
  readonly band: number | null;
  readonly field: 'start' | 'end' | 'amount_centavos';
  readonly sentence: string;
}

/**
 * All rules that a ladder breaks. A ladder has 1 to 50 bands. The first band starts at cycle 1, and each later one
 * right after the one before. No band ends before it starts, and only the last may have no end. After a band without an
 * end, or one that ends before its start, the start of the next band is not checked.
 */
export function ladderProblems(ladder: readonly PriceBand[]): LadderProblem[] {
  const problems: LadderProblem[] = [];
  const ofLadder = (sentence: string) => problems.push({ band: null, field: 'start', sentence });
  if (ladder.length === 0) ofLadder('Must have at least 1 item.');
  if (ladder.length > MAX_BANDS) ofLadder(`Must have at most ${MAX_BANDS} items.`);
  if (ladder.slice(0, -1).some(({ end }) => end === null)) {
    ofLadder('Only the last band may be open: every other one needs an end.');
  }
  return [...problems, ...ladder.flatMap((band, index) => bandProblems(band, ladder[index - 1], index))];
}

function bandProblems(band: PriceBand, before: PriceBand | undefined, index: number): LadderProblem[] {
  const problems: LadderProblem[] = [];
  if (before === undefined && band.start !== 1) {
    problems.push({ band: index, field: 'start', sentence: 'Must be 1: the first band starts at cycle 1.' });
  }
  if (before !== undefined && before.end !== null && before.end >= before.start) {
    const next = before.end + 1;
    const sentence = `Must be ${next}: each band starts right after the one before.`;
    if (band.start !== next) problems.push({ band: index, field: 'start', sentence });
  }
  if (band.end !== null && band.end < band.start) {
    problems.push({ band: index, field: 'end', sentence: 'Must not be before the start of the band.' });
  }
  if (!isCentavos(band.amount_centavos)) {
    problems.push({ band: index, field: 'amount_centavos', sentence: 'Must be at least 0.' });
  }
  return problems;
}

/** The price of the last band, which a subscription pays in the long run. Throws on a ladder without bands. */
export function lastPrice(ladder: readonly PriceBand[]): number {
  const last = ladder.at(-1);
  if (last === undefined) throw new RangeError('The ladder has no bands.');
  return last.amount_centavos;
}

/** The price of a cycle, which counts from 1. Null after the end of a finite ladder. */
export function priceOfCycle(ladder: readonly PriceBand[], cycle: number): number | null {
  const band = ladder.find(({ start, end }) => start <= cycle && (end === null || cycle <= end));
  return band === undefined ? null : band.amount_centavos;
}

/** The ladder with another price in one cycle. A cycle after the end of the ladder changes nothing. */
export function withPriceOfCycle(
  ladder: readonly PriceBand[],
  cycle: number,
  amount_centavos: number,
): PriceBand[] {
  return ladder.flatMap((band) => {
    const isInBand = band.start <= cycle && (band.end === null || cycle <= band.end);
    if (!isInBand || band.amount_centavos === amount_centavos) return [band];
    const parts = [
      { ...band, end: cycle - 1 },
      { start: cycle, end: cycle, amount_centavos },
      { ...band, start: cycle + 1 },
    ];
    return parts.filter(({ start, end }) => end === null || start <= end);
  });
}

/** The bands of a cycle and of those after it. The first one begins with the cycle. */
export function bandsFrom(ladder: readonly PriceBand[], cycle: number): PriceBand[] {
  return ladder
    .filter(({ end }) => end === null || end >= cycle)
    .map((band) => ({ ...band, start: Math.max(band.start, cycle) }));
}
