import { Counts, levelsOf } from '../../../services/counts.ts';
import type { UpstreamCalls } from '../../../services/upstream-calls.ts';
import type { AddressedRequest } from '../client-address.ts';
import { activeRequests } from './active-requests.ts';

/**
 * The party that a ticket is charged to: a merchant's id, or a name that cannot be one. While the caller is not
 * identified, it is the network address. It may be a part of another tenant (`partOf`), and of its quota.
 */
export type Tenant = string;

const ADDRESS = 'address ';

export function byAddress(request: AddressedRequest): Tenant {
  return `${ADDRESS}${request.clientAddress ?? request.socket.remoteAddress}`;
}

export function isIdentified(tenant: Tenant): boolean {
  return !tenant.startsWith(ADDRESS);
}

/**
 * The maximum of active tickets, whose requests do not wait for an upstream call. Further ones would only wait longer
 * in the queue. The quota of one tenant is enough for a burst of a hundred requests.
 */
export const MAX_ACTIVE = 144;
/** The share of one tenant, of the tickets and of the requests that run (`fair-queue.ts`). */
const TENANT_QUOTA = 3 / 4;

/** The share of a tenant, or of a part of one at this level: three quarters of what the level above has. */
export function quotaAt(level: number): number {
  return TENANT_QUOTA ** level;
}

/**
 * The share of the tickets that everyone may use. The rest is for identified tenants that hold fewer than `FEW`
 * tickets.
 */
const SHARED_PART = 7 / 8;
const FEW = 4;

/** The maximum of bytes of answers that clients have not read. A page of a list has up to 2.5 MB. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** Counts the tickets of a process by tenant, and decides which tenant may have one more. */
export class Tickets {
  readonly #limit: number;
  readonly #upstreamCalls: UpstreamCalls;
  readonly #held = new Counts();
  readonly #unreadBytes = new Counts();

  constructor(limit: number, upstreamCalls: UpstreamCalls) {
    this.#limit = limit;
    this.#upstreamCalls = upstreamCalls;
  }

  get held(): number {
    return this.#held.total;
  }

  isAvailable(tenant: Tenant): boolean {
    if (this.isQuotaUsedUp(tenant)) return false;
    const share = isIdentified(tenant) && this.#held.of(tenant) < FEW ? 1 : SHARED_PART;
    const active = this.#held.total - this.#upstreamCalls.inFlight();
    return this.#held.total < this.#maxHeld(share) && active < this.#maxActive(share);
  }

  /** Whether a tenant, or a part of it that the name names, has all the tickets that it may have. */
  isQuotaUsedUp(tenant: Tenant): boolean {
    return levelsOf(tenant).some((name, i) => {
      const [share, shareOfPart] = [quotaAt(i + 1), quotaAt(i + 2)];
      const max = this.#maxActive(shareOfPart);
      const active = activeRequests(this.#held, this.#upstreamCalls, max, name);
      return this.#held.of(name) >= this.#maxHeld(share) || active >= this.#maxActive(share);
    });
  }

  add(tenant: Tenant, change: 1 | -1): void {
    this.#held.add(tenant, change);
  }

  /** Counts the bytes of an answer that the client has not read, until they are subtracted again. */
  addUnreadBytes(tenant: Tenant, change: number): void {
    this.#unreadBytes.add(tenant, change);
  }

  /**
   * Whether a tenant must read its answers before it gets more: its unread bytes are as many as those that are still
   * free (a dynamic threshold). One tenant gets half of the maximum, and two get a third each. A tenant without unread
   * bytes is never refused. The parts of a tenant are counted together.
   */
  areTooManyBytesUnread(part: Tenant): boolean {
    const [tenant] = levelsOf(part) as [Tenant];
    const bytes = this.#unreadBytes.of(tenant);
    return bytes > 0 && bytes >= MAX_UNREAD_BYTES - this.#unreadBytes.total;
  }

  #maxHeld(share: number): number {
    return Math.ceil(this.#limit * share);
  }

  #maxActive(share: number): number {
    return Math.ceil(Math.min(this.#limit, MAX_ACTIVE) * share);
  }
}
