import { Client } from 'undici';

/**
 * Connections by origin, each for one request at a time. A request takes the one that was used last, or opens another.
 * An agent of undici goes through all connections of an origin for each request, and opened twice as many as were in
 * use.
 */
export class OriginConnections {
  readonly #options: Client.Options;
  readonly #all = new Set<Client>();
  /** Those that are open and not in use. */
  readonly #idle = new Map<string, Client[]>();

  constructor(options: Client.Options) {
    this.#options = options;
  }

  /** A connection that nobody else uses until it is given back. It may not be open yet. */
  take(origin: string): Client {
    return this.#idle.get(origin)?.pop() ?? this.create(origin);
  }

  giveBack(origin: string, client: Client): void {
    if (!client.stats.connected) this.#end(origin, client);
    else if (this.#idle.has(origin)) this.#idle.get(origin)!.push(client);
    else this.#idle.set(origin, [client]);
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
      if (this.#idle.get(origin)?.includes(client)) this.#end(origin, client);
    });
    return client;
  }

  #end(origin: string, client: Client): void {
    const idle = this.#idle.get(origin)?.filter((other) => other !== client) ?? [];
    if (idle.length === 0) this.#idle.delete(origin);
    else this.#idle.set(origin, idle);
    this.#all.delete(client);
    void client.destroy();
  }
}
