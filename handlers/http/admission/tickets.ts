import type { IncomingMessage } from 'node:http';
import type { UpstreamCalls } from '../../../services/upstream-calls.ts';

/** Who a ticket is charged to. */
export interface Tenant {
  /** A merchant's id, or another name that no merchant has. */
  readonly name: string;
  /** False for a caller of which only the network address is known so far. */
  readonly isIdentified: boolean;
}

export function identified(name: string): Tenant {
  return { name, isIdentified: true };
}

/** The tenant of a caller that is not identified yet. */
export function byAddress(request: IncomingMessage): Tenant {
  return { name: `address ${request.socket.remoteAddress}`, isIdentified: false };
}

/**
 * Active tickets at most: those whose requests do not wait for an upstream call. They run or are queued, and more of
 * them would only wait longer. A tenant's quota of them takes a burst of a hundred requests.
 */
const MAX_ACTIVE = 144;
/** The part that one tenant may have: of all tickets, and of those that run (`fair-queue.ts`). */
export const TENANT_QUOTA = 3 / 4;
/** The rest, an eighth, is for identified tenants that hold few tickets. */
const SHARED_PART = 7 / 8;
const FEW = 4;

/** The tickets of a process: how many are held, by all and by each tenant, and who may have one more. */
export class Tickets {
  readonly #limit: number;
  readonly #upstreamCalls: UpstreamCalls;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(limit: number, upstreamCalls: UpstreamCalls) {
    this.#limit = limit;
    this.#upstreamCalls = upstreamCalls;
  }

  get held(): number {
    return this.#held;
  }

  isAvailable({ name, isIdentified }: Tenant): boolean {
    if (this.isQuotaUsedUp(name)) return false;
    const holdsFew = isIdentified && this.#of(name) < FEW;
    return !this.#areTaken(holdsFew ? 1 : SHARED_PART, this.#held, this.#upstreamCalls.inFlight());
  }

  isQuotaUsedUp(name: string): boolean {
    return this.#areTaken(TENANT_QUOTA, this.#of(name), this.#upstreamCalls.inFlight(name));
  }

  add({ name }: Tenant, change: 1 | -1): void {
    this.#held += change;
    const held = this.#of(name) + change;
    if (held === 0) this.#heldBy.delete(name);
    else this.#heldBy.set(name, held);
  }

  #of(name: string): number {
    return this.#heldBy.get(name) ?? 0;
  }

  #areTaken(part: number, held: number, upstream: number): boolean {
    const active = held - upstream;
    const maxActive = Math.min(this.#limit, MAX_ACTIVE);
    return held >= Math.ceil(this.#limit * part) || active >= Math.ceil(maxActive * part);
  }
}
