import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from './change.ts';
import type { Node } from './document.ts';
import { breakingChanges } from './operations.ts';
import { Repository } from './repository.ts';

const CONTRACT = 'generated/openapi.json';
const CHANGES = 'spec/changes.yaml';

/** A breaking change, and which step of the history brought it. */
export interface DatedChange extends Change {
  /** Abbreviated commit, `not on main` or `not committed`. */
  readonly step: string;
  /** Whether later steps left nothing of it. */
  readonly isTakenBack: boolean;
}

export interface History {
  readonly changes: readonly DatedChange[];
  /** How many states of the contract were compared with the one before. */
  readonly steps: number;
  /** The commit whose contract everything is measured by; null where main has no file of changes yet. */
  readonly baseline: string | null;
  /** The file of changes as it is in the folder, and as it was at the baseline: that part is history. */
  readonly declared: string;
  readonly declaredBefore: string;
  /** Whether the clone is shallow: its oldest commit is the baseline then, and what was before is not known. */
  readonly isCut: boolean;
}

interface State {
  readonly step: string;
  readonly contract: Node;
}

/**
 * Every breaking change between one state of the contract and the next, from the commit that brought the file of
 * changes to what lies in the folder now. So a change is found before it is committed, and ever after. The steps are
 * those of main; what a branch has changed since main is one step, as its merge will be. Throws an Error that says
 * what is missing.
 */
export function contractHistory(root: string): History {
  const repository = new Repository(root);
  const [now, declared] = [read(root, CONTRACT), read(root, CHANGES) ?? ''];
  if (now === null) throw new Error(`There is no ${CONTRACT}: write it with make generate.`);
  const { commit, isMain } = repository.forkOfMain();
  const baseline = repository.changesOf(CHANGES, commit)[0] ?? null;
  const isCut = repository.isShallow();
  if (baseline === null)
    return { changes: [], steps: 0, baseline, declared, declaredBefore: declared, isCut };

  const commits = [baseline, ...repository.changesOf(CONTRACT, `${baseline}..${commit}`)];
  const states = commits.flatMap((step): State[] => {
    const text = repository.read(step, CONTRACT);
    return text === null ? [] : [{ step, contract: JSON.parse(text) }];
  });
  states.push({ step: isMain ? 'not committed' : 'not on main', contract: JSON.parse(now) });
  const declaredBefore = repository.read(baseline, CHANGES) ?? '';
  return { changes: changesOf(states), steps: states.length - 1, baseline, declared, declaredBefore, isCut };
}

function changesOf(states: readonly State[]): DatedChange[] {
  const found = states
    .slice(1)
    .map(({ contract }, index) => breakingChanges(states[index]!.contract, contract));
  const now = states.at(-1)!.contract;
  return found.flatMap((changes, index) => {
    if (changes.length === 0) return [];
    const left = new Set(breakingChanges(states[index]!.contract, now).map(placeOf));
    const told = new Set(found.slice(index).flat().map(placeOf));
    // Where something else broke on the way that no step by itself shows, the first one answers for it.
    const isAllTold = [...left].every((place) => told.has(place));
    const { step } = states[index + 1]!;
    return changes.map((one) => ({ ...one, step, isTakenBack: isAllTold && !left.has(placeOf(one)) }));
  });
}

function placeOf({ kind, where }: Change): string {
  return `${kind} ${where}`;
}

function read(root: string, path: string): string | null {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
