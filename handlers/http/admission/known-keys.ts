/** The maximum of keys that are remembered in this process. The oldest is removed first. */
const MAX_KEYS = 10_000;
/** Only the end of an API key is stored: enough characters to tell keys apart, too few to use the key. */
const KEY_END = 14;

/**
 * Remembers the merchant of each Authorization header that was accepted, so that admission control can charge the next
 * request to the merchant before the key is looked up. This grants no access: the key is looked up for every request.
 */
export class KnownKeys {
  readonly #merchants = new Map<string, string>();

  merchantOf(authorization: string | undefined): string | undefined {
    return authorization === undefined ? undefined : this.#merchants.get(authorization.slice(-KEY_END));
  }

  remember(authorization: string | undefined, merchantId: string): void {
    const end = authorization?.slice(-KEY_END) ?? '';
    if (this.#merchants.get(end) === merchantId) return;
    if (this.#merchants.size >= MAX_KEYS) this.#merchants.delete(this.#merchants.keys().next().value!);
    this.#merchants.set(end, merchantId);
  }

  /** Forgets a key that was refused, so that requests with it no longer use the merchant's quota. */
  forget(authorization: string | undefined): void {
    if (authorization !== undefined) this.#merchants.delete(authorization.slice(-KEY_END));
  }
}
