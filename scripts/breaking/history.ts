import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from './change.ts';
import type { Node } from './document.ts';
import { breakingChanges } from './operations.ts';

const CONTRACT = 'generated/openapi.json';
const CHANGES = 'spec/changes.yaml';
const LONGEST_BYTES = 64 * 1024 * 1024;

/** A breaking change, and which step of the history brought it. */
export interface DatedChange extends Change {
  /** Abbreviated commit, or `not committed`. */
  readonly step: string;
}

export interface History {
  readonly changes: readonly DatedChange[];
  /** How many states of the contract were compared with the one before. */
  readonly steps: number;
  /** The commit whose contract everything is measured by; null where nothing is committed yet. */
  readonly baseline: string | null;
  /** The file of changes as it is in the folder, and as it was at the baseline: that part is history. */
  readonly declared: string;
  readonly declaredBefore: string;
}

/**
 * Every breaking change between one state of the contract and the next, from the commit that brought the file of
 * changes to what lies in the folder now. So a change is found before it is committed, and ever after. A merge counts
 * as one step (first parents). A shallow clone knows fewer steps: its oldest commit is the baseline.
 */
export function contractHistory(root: string): History {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: LONGEST_BYTES,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const declared = existsSync(join(root, CHANGES)) ? readFileSync(join(root, CHANGES), 'utf8') : '';
  const now = readFileSync(join(root, CONTRACT), 'utf8');
  const log = (path: string) =>
    git('log', '--first-parent', '--reverse', '--format=%h', '--', path).split('\n').filter(Boolean);
  const baseline = log(CHANGES)[0] ?? null;
  if (baseline === null) return { changes: [], steps: 0, baseline, declared, declaredBefore: declared };

  const since = git('log', '--first-parent', '--reverse', '--format=%h', `${baseline}..HEAD`, '--', CONTRACT);
  const commits = [baseline, ...since.split('\n').filter(Boolean)];
  const states = commits.map((commit) => ({ step: commit, text: git('show', `${commit}:${CONTRACT}`) }));
  states.push({ step: 'not committed', text: now });
  const declaredBefore = git('show', `${baseline}:${CHANGES}`);
  return { changes: changesOf(states), steps: states.length - 1, baseline, declared, declaredBefore };
}

function changesOf(states: readonly { step: string; text: string }[]): DatedChange[] {
  const changes: DatedChange[] = [];
  for (const [index, { step, text }] of states.entries()) {
    const before = states[index - 1];
    if (before === undefined || before.text === text) continue;
    const found = breakingChanges(JSON.parse(before.text) as Node, JSON.parse(text) as Node);
    changes.push(...found.map((change) => ({ ...change, step })));
  }
  return changes;
}
