import pg from 'pg';
import { readServers } from './database-address.ts';

/** The time limit for a server that accepts the connection and does not answer. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The time limit when another server can be tried: a caller waits three seconds for a connection. */
const CONNECT_TO_ONE_OF_SEVERAL_TIMEOUT_MS = 2_000;

/** Another server is tried if this one is starting or read-only. */
const TRY_NEXT = /^(57P03|25006)$/;

export type ConnectOptions = Omit<pg.ClientConfig, 'connectionString' | 'connectionTimeoutMillis'>;

/** Opens a connection. Throws the error of pg or the server. */
export type Connect = () => Promise<pg.Client>;

/**
 * Returns a function that opens connections to the database at `url`. With several servers it tries one after another,
 * starting with the one that answered last, and uses the first that accepts writes.
 */
export function connector(url: string, options: ConnectOptions = {}): Connect {
  const { urls, mustWrite } = readServers(url);
  const connectionTimeoutMillis =
    urls.length === 1 ? CONNECT_TIMEOUT_MS : CONNECT_TO_ONE_OF_SEVERAL_TIMEOUT_MS;
  let last = 0;

  const connectTo = async (connectionString: string): Promise<pg.Client> => {
    const client = new pg.Client({ ...options, connectionString, connectionTimeoutMillis });
    // Without a listener an error would end the process. The current query fails with the same error.
    client.on('error', () => {});
    try {
      await client.connect();
      if (mustWrite) await assertAcceptsWrites(client);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  };

  return async () => {
    const failures: unknown[] = [];
    const first = last;
    for (let i = 0; i < urls.length; i++) {
      const at = (first + i) % urls.length;
      try {
        const client = await connectTo(urls[at]!);
        last = at;
        return client;
      } catch (error) {
        failures.push(error);
        // A wrong password or database is wrong on every server.
        if (isServerError(error) && !TRY_NEXT.test(error.code ?? '')) break;
      }
    }
    // The error of a server says more than the error of one that cannot be reached.
    throw failures.find(isServerError) ?? failures[0];
  };
}

/** Opens one connection to the database at `url`. */
export function connect(url: string, options: ConnectOptions = {}): Promise<pg.Client> {
  return connector(url, options)();
}

/**
 * Returns a client class for code that opens connections itself, such as the pool of pg. With several servers a client
 * connects to the one that answered last. After a failure the next client connects to the next server.
 */
export function clientClass(url: string): typeof pg.Client {
  const { urls, mustWrite } = readServers(url);
  if (urls.length === 1) return pg.Client;
  let current = 0;

  return class extends pg.Client {
    readonly #server = current;

    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: urls[current]! });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const opened = this.#open();
      if (callback === undefined) return opened;
      // pg calls back without an error as null.
      opened.then(() => callback(null as never), callback);
      return undefined;
    }

    async #open(): Promise<pg.Client> {
      try {
        await super.connect();
        if (mustWrite) await assertAcceptsWrites(this);
        return this;
      } catch (error) {
        if (current === this.#server) current = (current + 1) % urls.length;
        void this.end().catch(() => {});
        throw error;
      }
    }
  };
}

async function assertAcceptsWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]!.transaction_read_only === 'off') return;
  const error = new Error('No server of the address accepts writes');
  throw Object.assign(error, { severity: 'ERROR', code: '25006' });
}

/** Whether the server sent the error. Errors of the connection have no severity. */
function isServerError(error: unknown): error is Error & { readonly code?: string } {
  return (error as { severity?: unknown } | null)?.severity !== undefined;
}
