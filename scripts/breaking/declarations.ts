import { parse } from 'yaml';
import { KINDS, type Kind } from './change.ts';
import type { DatedChange } from './history.ts';

/** An intended breaking change, as declared in `spec/changes.yaml`. */
export interface Declaration {
  /** `2026-11-21` */
  readonly date: string;
  readonly kind: Kind;
  readonly where: string;
  /** One sentence for a developer who must change a client. */
  readonly change: string;
  readonly reason: string;
}

const FIELDS = ['date', 'kind', 'where', 'change', 'reason'];

/** Reads the declarations of a file of changes. Throws an Error that says what is wrong with it. */
export function readDeclarations(text: string): Declaration[] {
  const { changes } = (parse(text) ?? {}) as { changes?: unknown };
  if (!Array.isArray(changes)) throw new Error('spec/changes.yaml must hold a list named changes.');
  return changes.map(readDeclaration);
}

function readDeclaration(entry: Record<string, unknown>, index: number): Declaration {
  const wrong = (what: string): never => {
    throw new Error(`Entry ${index + 1} of spec/changes.yaml ${what}.`);
  };
  for (const field of FIELDS) {
    const value = entry?.[field];
    if (typeof value !== 'string' || value.trim() === '') wrong(`needs a ${field}`);
  }
  for (const field of Object.keys(entry)) if (!FIELDS.includes(field)) wrong(`has an unknown field ${field}`);
  const declaration = entry as unknown as Declaration;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(declaration.date)) wrong(`has a date that is not YYYY-MM-DD`);
  if (!Object.hasOwn(KINDS, declaration.kind)) wrong(`has an unknown kind, ${declaration.kind}`);
  return declaration;
}

export interface Verdict {
  /** Changes that must be declared. */
  readonly undeclared: readonly DatedChange[];
  /** Undeclared changes that a later step reverted, which need no declaration. */
  readonly reverted: readonly DatedChange[];
  /** Declarations without a change. */
  readonly unused: readonly Declaration[];
}

/** The declarations that were added after the baseline. Changes of older ones are not part of the history. */
export function declaredSince(all: readonly Declaration[], before: readonly Declaration[]): Declaration[] {
  const spent = before.map((one) => JSON.stringify(one));
  return all.filter((one) => {
    const index = spent.indexOf(JSON.stringify(one));
    if (index >= 0) spent.splice(index, 1);
    return index < 0;
  });
}

/**
 * A change that happens twice is declared twice, unless it was reverted. One change may have several declarations: a
 * branch declares each of its steps, and counts as one step.
 */
export function judge(changes: readonly DatedChange[], declarations: readonly Declaration[]): Verdict {
  const declared = Map.groupBy(declarations, placeOf);
  const found = Map.groupBy(changes, placeOf);
  const undeclared = [...found].flatMap(([place, those]) => {
    const remaining = those.filter(({ isReverted }) => !isReverted);
    return remaining.slice(declared.get(place)?.length ?? 0);
  });
  const reverted = changes.filter((one) => one.isReverted && !declared.has(placeOf(one)));
  return { undeclared, reverted, unused: declarations.filter((one) => !found.has(placeOf(one))) };
}

function placeOf({ kind, where }: { kind: Kind; where: string }): string {
  return `${kind} ${where}`;
}
