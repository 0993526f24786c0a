import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from './change.ts';
import type { Node } from './document.ts';
import { breakingChanges } from './operations.ts';
import { Repository } from './repository.ts';

const CONTRACT = 'generated/openapi.json';
const CHANGES = 'spec/changes.yaml';

/** A breaking change and the step of the history that made it. */
export interface DatedChange extends Change {
  /** Abbreviated commit, `not on main` or `not committed`. */
  readonly step: string;
  /** Whether a later step reverted it. */
  readonly isReverted: boolean;
}

export interface History {
  readonly changes: readonly DatedChange[];
  /** How many states of the contract were compared with the one before. */
  readonly steps: number;
  /** The commit whose contract is compared first; null when main has no file of changes. */
  readonly baseline: string | null;
  /** The file of changes in the folder. */
  readonly declared: string;
  /** The file of changes at the baseline. */
  readonly declaredBefore: string;
  /** Whether the clone is shallow. Its oldest commit is then the baseline. */
  readonly isCut: boolean;
}

interface State {
  readonly step: string;
  readonly contract: Node;
}

/**
 * Every breaking change between one state of the contract and the next, from the commit that added the file of changes
 * to the files in the folder. A change is found before it is committed and afterwards. The steps are commits of main;
 * all changes of a branch since main are one step, as its merge will be. Throws an Error that says what is missing.
 */
export function contractHistory(root: string): History {
  const repository = new Repository(root);
  const [now, declared] = [read(root, CONTRACT), read(root, CHANGES) ?? ''];
  if (now === null) throw new Error(`There is no ${CONTRACT}. Create it with make generate.`);
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
    const reported = new Set(found.slice(index).flat().map(placeOf));
    // When all steps together break something that no single step shows, the first step is not reverted.
    const isAllReported = [...left].every((place) => reported.has(place));
    const { step } = states[index + 1]!;
    return changes.map((one) => ({ ...one, step, isReverted: isAllReported && !left.has(placeOf(one)) }));
  });
}

function placeOf({ kind, where }: Change): string {
  return `${kind} ${where}`;
}

function read(root: string, path: string): string | null {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
