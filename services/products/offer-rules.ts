import { ladderProblems, type PriceBand } from '../../domain/products/price-ladder.ts';
import type { Violations } from '../refusal.ts';

/** Adds a violation for each rule that a price ladder breaks, under the field of its band, such as `cycles.1.start`. */
export function checkLadder(violations: Violations, cycles: readonly PriceBand[]): void {
  for (const { band, field, sentence } of ladderProblems(cycles)) {
    if (band === null) violations.add('cycles', sentence);
    else violations.add(`cycles.${band}.${field}`, sentence);
  }
}
