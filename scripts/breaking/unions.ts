import type { Direction, Side } from './bounds.ts';
import { branchesOf, mayOverlap, pairBranches } from './branches.ts';
import type { Report } from './change.ts';
import { isClosedByParts } from './keywords.ts';

interface Tools {
  readonly report: Report;
  /** Called with each pair of branches. */
  readonly compare: (was: unknown, is: unknown, direction: Direction, where: string) => void;
}

/** Compares the branches of `anyOf` and `oneOf` with the old ones. */
export function compareUnions(
  before: Side,
  after: Side,
  direction: Direction,
  where: string,
  { report, compare }: Tools,
): void {
  for (const key of ['anyOf', 'oneOf'] as const) {
    const [was, is] = [branchesOf(before, key), branchesOf(after, key)];
    if (was.length === 0 || is.length === 0) {
      const isFreed =
        direction === 'request' ? is.length === 0 && !isClosedByParts(after.schema) : was.length === 0;
      if (was.length !== is.length && !isFreed)
        report('rule-changed', where, `${key} is ${is.length === 0 ? 'removed' : 'new'}`);
      continue;
    }
    const { pairs, removed, added } = pairBranches(was, is);
    for (const [old, now] of pairs) compare(old.written, now.written, direction, `${where} ${old.name}`);
    // Removing or adding a branch of a oneOf also changes which values fit exactly one of the others.
    if (key === 'oneOf' || direction === 'request') {
      for (const { name } of removed) report('rule-changed', `${where} ${name}`, `is removed from ${key}`);
    }
    if (key === 'oneOf' || direction === 'answer') {
      for (const { name } of added) report('rule-changed', `${where} ${name}`, `is new in ${key}`);
    }
    // A branch that accepts more may accept values of another branch, and a request that fits two is refused.
    const isOther = pairs.some(([old, now]) => old.text !== now.text);
    if (key === 'oneOf' && direction === 'request' && isOther && mayOverlap(is))
      report('rule-changed', where, 'a value that fitted one branch of oneOf may fit two');
  }
}
