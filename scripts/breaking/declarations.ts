import { parse } from 'yaml';
import { KINDS, type Kind } from './change.ts';
import type { DatedChange } from './history.ts';

/** A breaking change that was meant, as `spec/changes.yaml` tells it. */
export interface Declaration {
  /** `2026-11-21` */
  readonly date: string;
  readonly kind: Kind;
  readonly where: string;
  /** One sentence for whoever has to change a client. */
  readonly change: string;
  readonly reason: string;
}

const FIELDS = ['date', 'kind', 'where', 'change', 'reason'];

/** The declarations of a file of changes. Throws an Error that says what is wrong with it. */
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
  /** Changes that nobody declared. */
  readonly undeclared: readonly DatedChange[];
  /** Changes that nobody declared, and nobody has to. */
  readonly takenBack: readonly DatedChange[];
  /** Declarations of what never came to be. */
  readonly idle: readonly Declaration[];
}

/** The declarations that came after others, those of the baseline, whose changes are no part of the history. */
export function declaredSince(all: readonly Declaration[], before: readonly Declaration[]): Declaration[] {
  const spent = before.map((one) => JSON.stringify(one));
  return all.filter((one) => {
    const index = spent.indexOf(JSON.stringify(one));
    if (index >= 0) spent.splice(index, 1);
    return index < 0;
  });
}

/**
 * What breaks twice is declared twice, but for what was taken back. One change may meet several declarations: a branch
 * declares each of its steps, and is one step itself.
 */
export function judge(changes: readonly DatedChange[], declarations: readonly Declaration[]): Verdict {
  const declared = Map.groupBy(declarations, placeOf);
  const found = Map.groupBy(changes, placeOf);
  const undeclared = [...found].flatMap(([place, those]) => {
    const standing = those.filter(({ isTakenBack }) => !isTakenBack);
    return standing.slice(declared.get(place)?.length ?? 0);
  });
  const takenBack = changes.filter((one) => one.isTakenBack && !declared.has(placeOf(one)));
  return { undeclared, takenBack, idle: declarations.filter((one) => !found.has(placeOf(one))) };
}

function placeOf({ kind, where }: { kind: Kind; where: string }): string {
  return `${kind} ${where}`;
}
