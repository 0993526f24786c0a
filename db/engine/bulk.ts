import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from './database.ts';

/** A call that waits to be sent together with others. */
interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls that wait, by statement and shape. */
type Waiting = Map<string, Call<unknown, unknown>[]>;

const waitingOf = new WeakMap<Queryable, Waiting>();

/**
 * Returns a copy of `q` for use cases that work on many rows of one merchant at the same time. The calls of one tick to
 * a function that `bulk` made are sent as one statement. So code for one row can process many rows with few
 * statements.
 */
export function inBulk<Q extends Queryable>(q: Q): Q {
  const copy = { ...q };
  waitingOf.set(copy, new Map());
  return copy;
}

/** Runs one statement for several rows. Returns a result for each of them, in their order. */
type SendRows<Q extends Queryable, Item, Result> = (
  q: Q,
  scope: MerchantScope,
  items: readonly Item[],
) => Promise<readonly Result[]>;

let statements = 0;

/**
 * Makes a function for one row of a function for many rows. On a `Queryable` of `inBulk`, calls of one tick with the
 * same shape are sent together. Otherwise each call is sent at once. If a statement fails, all its calls fail.
 */
export function bulk<Q extends Queryable, Item, Result>(
  send: SendRows<Q, Item, Result>,
  shapeOf: (item: Item) => string = () => '',
): (q: Q, scope: MerchantScope, item: Item) => Promise<Result> {
  statements += 1;
  const statement = statements;
  return async (q, scope, item) => {
    const waiting = waitingOf.get(q);
    if (waiting === undefined) return (await send(q, scope, [item]))[0]!;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const call = { item, resolve, reject } as Call<unknown, unknown>;
    const key = `${statement} ${shapeOf(item)}`;
    const calls = waiting.get(key);
    if (calls !== undefined) calls.push(call);
    else {
      waiting.set(key, [call]);
      // Runs after all promises that are resolved now have continued.
      process.nextTick(() => {
        const all = waiting.get(key)! as Call<Item, Result>[];
        waiting.delete(key);
        void sendAll((items: readonly Item[]) => send(q, scope, items), all);
      });
    }
    return promise;
  };
}

/** Sends the items of some calls, and settles each call. */
async function sendAll<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
  calls: readonly Call<Item, Result>[],
): Promise<void> {
  try {
    const results = await send(calls.map(({ item }) => item));
    calls.forEach(({ resolve }, i) => {
      resolve(results[i]!);
    });
  } catch (error) {
    for (const { reject } of calls) reject(error);
  }
}

/**
 * For each wanted key, whether the update changed its row (`touched` has the keys that it returned). A key that is
 * wanted twice is true once.
 */
export function eachOnce(wanted: readonly string[], touched: readonly string[]): boolean[] {
  const left = new Set(touched);
  return wanted.map((key) => left.delete(key));
}
