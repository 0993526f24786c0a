import pg from 'pg';

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a function for one item of a function for many items, which returns a result for each, in their order. The
 * calls of one turn of the event loop are sent together, so that requests that arrive together share a statement and
 * its commit. If Postgres refuses the statement, each item is sent alone, so that one of them does not fail the others.
 */
export function gather<Item, Result>(
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = [];
  async function sendCalls(calls: readonly Call<Item, Result>[]): Promise<void> {
    try {
      const results = await send(calls.map(({ item }) => item));
      calls.forEach(({ resolve }, i) => {
        resolve(results[i]!);
      });
    } catch (error) {
      if (calls.length > 1 && error instanceof pg.DatabaseError)
        for (const call of calls) void sendCalls([call]);
      else for (const { reject } of calls) reject(error);
    }
  }
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (waiting.length === 0) {
      setImmediate(() => {
        const calls = waiting;
        waiting = [];
        void sendCalls(calls);
      });
    }
    waiting.push({ item, resolve, reject });
    return promise;
  };
}
