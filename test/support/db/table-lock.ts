import assert from 'node:assert/strict';
import { Client } from 'pg';
import { until } from '../until.ts';

/** A lock on a table: others can read its rows, and wait when they write. */
export class TableLock implements AsyncDisposable {
  readonly #client: Client;
  readonly #table: string;

  private constructor(client: Client, table: string) {
    this.#client = client;
    this.#table = table;
  }

  static async take(databaseUrl: string, table: string): Promise<TableLock> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query(`lock table ${table} in share mode`);
    return new TableLock(client, table);
  }

  /** Waits until another connection waits for the lock with a statement that contains `part`. */
  untilBlocks(part: string): Promise<void> {
    return until(`${part} waits`, async () =>
      (await this.#waiting()).some(({ query }) => query.includes(part)),
    );
  }

  /** Ends the connections that wait for the lock. Their transactions are rolled back. */
  async endWaiting(): Promise<void> {
    const waiting = await this.#waiting();
    assert.ok(waiting.length > 0, `no connection waits for ${this.#table}`);
    for (const { pid } of waiting) await this.#client.query('select pg_terminate_backend($1, 10000)', [pid]);
  }

  async #waiting(): Promise<{ pid: number; query: string }[]> {
    // Within a transaction the view would stay as it was first read.
    await this.#client.query('select pg_stat_clear_snapshot()');
    const { rows } = await this.#client.query<{ pid: number; query: string }>(
      `select a.pid, a.query from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.relation = $1::regclass and not l.granted and a.datname = current_database()`,
      [this.#table],
    );
    return rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}
