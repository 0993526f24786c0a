import { Client } from 'undici';

/**
 * Connections by origin, each for one request at a time. A request takes the one that was used last, or opens another.
 * An agent of undici goes through all connections of an origin for each request, and opened twice as many as were in
 * use.
 */
export class OriginConnections {
  readonly #options: Client.Options;
  readonly #maxIdle: number;
  readonly #all = new Set<Client>();
  /** Those that are open and not in use. */
  readonly #idle = new Map<string, Client[]>();
  /** The same with their origins, the one that was used longest ago first. */
  readonly #idleOrigins = new Map<Client, string>();

  /** `maxIdle`: the maximum of connections that are open and not in use. */
  constructor(options: Client.Options, maxIdle: number) {
    this.#options = options;
    this.#maxIdle = maxIdle;
  }

  /** A connection that nobody else uses until it is given back. It may not be open yet. */
  take(origin: string): Client {
    const client = this.#idle.get(origin)?.pop();
    if (client === undefined) return this.create(origin);
    this.#idleOrigins.delete(client);
    return client;
  }

  /** Ends the connection that was used longest ago if there are too many. */
  giveBack(origin: string, client: Client): void {
    if (!client.stats.connected) {
      this.#end(origin, client);
      return;
    }
    if (this.#idle.has(origin)) this.#idle.get(origin)!.push(client);
    else this.#idle.set(origin, [client]);
    this.#idleOrigins.set(client, origin);
    if (this.#idleOrigins.size > this.#maxIdle) this.#endOldest();
  }

  /** Ends all connections. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#all].map((client) => client.destroy()));
  }

  /** A connection that was not used before. */
  create(origin: string): Client {
    const client = new Client(origin, this.#options);
    this.#all.add(client);
    client.on('disconnect', () => {
      if (this.#idleOrigins.has(client)) this.#end(origin, client);
    });
    return client;
  }

  #endOldest(): void {
    const [oldest] = this.#idleOrigins;
    const [client, origin] = oldest!;
    this.#end(origin, client);
  }

  #end(origin: string, client: Client): void {
    const idle = this.#idle.get(origin)?.filter((other) => other !== client) ?? [];
    if (idle.length === 0) this.#idle.delete(origin);
    else this.#idle.set(origin, idle);
    this.#idleOrigins.delete(client);
    this.#all.delete(client);
    void client.destroy();
  }
}
