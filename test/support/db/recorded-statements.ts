import type { Database } from '../../../db/engine/database.ts';

/** Which argument of a method is the SQL. */
const SQL_ARGUMENT: Readonly<Record<string, number>> = {
  rows: 1,
  maybeOne: 1,
  one: 1,
  execute: 1,
  slotRows: 1,
  keyRows: 1,
  anywhere: 0,
};

/**
 * The database with a list of the statements that were sent through it, transactions included. A statement for which
 * `check` throws fails, and is not sent.
 */
export function recordStatements(
  db: Database,
  check: (sql: string) => void = () => {},
): { readonly db: Database; readonly statements: string[] } {
  const statements: string[] = [];
  const recorded = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name);
        if (name === 'lookUp') return recorded(value as object);
        if (typeof value !== 'function') return value;
        if (name === 'transaction') {
          return (scope: unknown, work: (tx: object) => unknown) =>
            value(scope, (tx: object) => work(recorded(tx)));
        }
        const place = SQL_ARGUMENT[String(name)];
        if (place === undefined) return value;
        return (...args: unknown[]) => {
          const sql = String(args[place]);
          statements.push(sql);
          check(sql);
          return value(...args);
        };
      },
    });
  return { db: recorded(db), statements };
}
