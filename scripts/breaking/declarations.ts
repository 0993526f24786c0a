import { parse } from 'yaml';
import { type Change, KINDS, type Kind } from './change.ts';

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
  readonly undeclared: readonly Change[];
  /** Declarations of what never came to be. */
  readonly idle: readonly Declaration[];
}

/** The declarations that came after others; a clone without the older history has no change for those. */
export function declaredSince(all: readonly Declaration[], before: readonly Declaration[]): Declaration[] {
  const spent = before.map((one) => JSON.stringify(one));
  return all.filter((one) => {
    const index = spent.indexOf(JSON.stringify(one));
    if (index >= 0) spent.splice(index, 1);
    return index < 0;
  });
}

/** Each declaration stands for one change, so that the same thing breaking twice is declared twice. */
export function judge(changes: readonly Change[], declarations: readonly Declaration[]): Verdict {
  const idle = [...declarations];
  const undeclared = changes.filter(({ kind, where }) => {
    const index = idle.findIndex((one) => one.kind === kind && one.where === where);
    if (index >= 0) idle.splice(index, 1);
    return index < 0;
  });
  return { undeclared, idle };
}
