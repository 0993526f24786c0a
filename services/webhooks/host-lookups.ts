import { Resolver } from 'node:dns/promises';

/**
 * The maximum of look-ups in flight for one merchant. Orders wait for them, so a merchant whose name server does not
 * answer would otherwise hold a ticket for each order. An order needs one look-up; orders with the same host share it.
 */
const MAX_LOOKUPS_PER_MERCHANT = 4;
/** A name that takes longer is treated as one that does not resolve. */
const TIMEOUT_MS = 1_000;

export interface HostLookupOptions {
  /** Name servers, as `address` or `address:port`. Default: those of the system. */
  readonly servers?: readonly string[] | undefined;
  readonly timeout_ms?: number;
}

/** Looks up the addresses of host names, a few at a time for each merchant. */
export class HostLookups {
  readonly #servers: readonly string[] | undefined;
  readonly #timeout_ms: number;
  /** By merchant and host. */
  readonly #inFlight = new Map<string, Map<string, Promise<readonly string[]>>>();

  constructor({ servers, timeout_ms = TIMEOUT_MS }: HostLookupOptions = {}) {
    this.#servers = servers;
    this.#timeout_ms = timeout_ms;
  }

  /**
   * Resolves to the addresses of a host, IPv4 and IPv6; to none if it does not resolve in time. Returns undefined if
   * the merchant has as many look-ups in flight as it may have.
   */
  start(merchantId: string, host: string): Promise<readonly string[]> | undefined {
    const ofMerchant = this.#inFlight.get(merchantId) ?? new Map<string, Promise<readonly string[]>>();
    const known = ofMerchant.get(host);
    if (known !== undefined) return known;
    if (ofMerchant.size >= MAX_LOOKUPS_PER_MERCHANT) return undefined;
    const lookup = this.#resolve(host).finally(() => {
      ofMerchant.delete(host);
      if (ofMerchant.size === 0) this.#inFlight.delete(merchantId);
    });
    ofMerchant.set(host, lookup);
    this.#inFlight.set(merchantId, ofMerchant);
    return lookup;
  }

  #resolve(host: string): Promise<readonly string[]> {
    return resolveHost(host, { timeout_ms: this.#timeout_ms, servers: this.#servers });
  }
}

/**
 * Resolves to the addresses of a host, IPv4 and IPv6; to none if it does not resolve in time. Queries name servers
 * directly: the system's look-up occupies one of the four threads of the process until it ends, so a few names whose
 * servers do not answer would delay all other look-ups, and the decryption of cards.
 */
export async function resolveHost(
  host: string,
  { servers, timeout_ms = TIMEOUT_MS }: HostLookupOptions = {},
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: timeout_ms, tries: 1 });
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), timeout_ms);
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  } finally {
    clearTimeout(timer);
  }
}
