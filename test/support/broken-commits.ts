import { mock } from 'node:test';
import pg from 'pg';

type Asking = (this: pg.Client & Breakable, ...asked: Asked) => void;
type Asked = [query: { text: string; callback: (error: Error | null, result?: unknown) => void }];

interface Breakable {
  readonly connection: { readonly stream: { destroy(): void } };
  transaction?: string;
}

/**
 * Breaks the connection once while `work` runs, at the first commit of a transaction with a statement that matches:
 * before the commit has reached the database, or after the database has committed. The service cannot know which.
 * Returns also whether there was such a commit.
 */
export async function whileCommitBreaks<R>(
  statement: RegExp,
  isDone: boolean,
  work: () => Promise<R>,
): Promise<{ readonly result: R; readonly hasBroken: boolean }> {
  const real = pg.Client.prototype.query as unknown as Asking;
  let hasBroken = false;
  const query: Asking = function (...asking) {
    const [asked] = asking;
    const { text, callback } = asked;
    this.transaction = text === 'begin' ? '' : `${this.transaction}\n${text}`;
    if (hasBroken || text !== 'commit' || !statement.test(this.transaction)) return real.apply(this, asking);
    hasBroken = true;
    if (!isDone) this.connection.stream.destroy();
    asked.callback = (_, result) => {
      if ((result !== undefined) !== isDone)
        throw new Error('The database was faster or slower than expected.');
      this.connection.stream.destroy();
      callback(new Error('Connection terminated unexpectedly'));
    };
    real.apply(this, asking);
  };
  const mocked = mock.method(pg.Client.prototype, 'query', query as never);
  const result = await work().finally(() => mocked.mock.restore());
  return { result, hasBroken };
}
