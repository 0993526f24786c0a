import pg from 'pg';
import { readServers } from './database-address.ts';

/** A server that takes the connection and never answers is given up after this. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The same where another server may take its place: a caller waits three seconds for a connection. */
const CONNECT_TO_ONE_OF_SEVERAL_TIMEOUT_MS = 2_000;

/** A server that starts, or that only reads; another one may do better. */
const TRY_NEXT = /^(57P03|25006)$/;

export type ConnectOptions = Omit<pg.ClientConfig, 'connectionString' | 'connectionTimeoutMillis'>;

/** Opens a connection. Throws the error of pg, or of the server. */
export type Connect = () => Promise<pg.Client>;

/**
 * Makes the function that opens connections to the database at `url`. Where the address names several servers, it tries
 * them in turn, the one that answered last before all others, and takes the first that accepts writes.
 */
export function connector(url: string, options: ConnectOptions = {}): Connect {
  const { urls, mustWrite } = readServers(url);
  const connectionTimeoutMillis =
    urls.length === 1 ? CONNECT_TIMEOUT_MS : CONNECT_TO_ONE_OF_SEVERAL_TIMEOUT_MS;
  let last = 0;

  const connectTo = async (connectionString: string): Promise<pg.Client> => {
    const client = new pg.Client({ ...options, connectionString, connectionTimeoutMillis });
    // Without a listener it would end the process. The query under way fails with it.
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
        if (isOfServer(error) && !TRY_NEXT.test(error.code ?? '')) break;
      }
    }
    // What a server said tells more than that another one cannot be reached.
    throw failures.find(isOfServer) ?? failures[0];
  };
}

/** Opens one connection to the database at `url`. */
export function connect(url: string, options: ConnectOptions = {}): Promise<pg.Client> {
  return connector(url, options)();
}

/**
 * The class of clients for what opens connections by itself, such as the pool of pg. Where the address names several
 * servers, a client goes to the one that answered last. After a failure the next client goes to the next server.
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

/** An error that a server sent, and no broken connection. */
function isOfServer(error: unknown): error is Error & { readonly code?: string } {
  return (error as { severity?: unknown } | null)?.severity !== undefined;
}
