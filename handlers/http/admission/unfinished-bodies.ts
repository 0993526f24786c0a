import type { IncomingMessage } from 'node:http';
import { Counts } from '../../../services/counts.ts';
import { Overloaded } from './shedder.ts';
import { MAX_ACTIVE } from './tickets.ts';

/** A quarter of the active tickets, so that the rest is left for requests that can run. */
const MAX_UNFINISHED = MAX_ACTIVE / 4;
const MAX_UNFINISHED_PER_ADDRESS = MAX_UNFINISHED / 3;

/**
 * Limits the requests without a key whose bodies have not arrived completely. Each of them holds a ticket, and anyone
 * can send them: without this limit, 126 clients that sent one byte each, at two checkout pages, used all tickets of a
 * process for half a minute.
 */
export class UnfinishedBodies {
  readonly #counts = new Counts();

  /** Runs `receive`, which reads the body of a client at `address`. Throws `Overloaded` if too many are unfinished. */
  async limit<R>(request: IncomingMessage, address: string, receive: () => Promise<R>): Promise<R> {
    // Nearly all bodies arrive while the merchant is looked up.
    if (request.complete) return receive();
    if (this.#counts.total >= MAX_UNFINISHED || this.#counts.of(address) >= MAX_UNFINISHED_PER_ADDRESS)
      throw new Overloaded();
    this.#counts.add(address, 1);
    try {
      return await receive();
    } finally {
      this.#counts.add(address, -1);
    }
  }
}
