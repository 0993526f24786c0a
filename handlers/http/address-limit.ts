import { tooManyRequests } from './rate-limit.ts';
import type { RequestContext } from './request-context.ts';

/** More than all buyers of one network need, at the pages of all merchants. */
const REQUESTS_PER_MINUTE = 6_000;
const MINUTE_MS = 60_000;

/**
 * Limits the requests without an API key of each client address before the database is asked for their merchant. In
 * this process only: the limit of the address at one merchant, which follows, is counted over all processes.
 */
export class AddressLimit {
  readonly #wall: () => Date;
  #minute_ms = 0;
  /** Requests of the minute by address. */
  readonly #requests = new Map<string, number>();

  constructor(wall: () => Date) {
    this.#wall = wall;
  }

  /** Counts a request. Refuses (429) above the limit. */
  count(context: RequestContext): void {
    const now_ms = this.#wall().getTime();
    const minute_ms = now_ms - (now_ms % MINUTE_MS);
    if (minute_ms !== this.#minute_ms) this.#requests.clear();
    this.#minute_ms = minute_ms;
    const address = context.clientAddress();
    const requests = (this.#requests.get(address) ?? 0) + 1;
    this.#requests.set(address, requests);
    if (requests <= REQUESTS_PER_MINUTE) return;
    const reset_s = Math.ceil((minute_ms + MINUTE_MS - now_ms) / 1_000);
    context.rate = { allowed: false, limit: REQUESTS_PER_MINUTE, remaining: 0, reset_s };
    throw tooManyRequests(context.rate, 'Your network');
  }
}
