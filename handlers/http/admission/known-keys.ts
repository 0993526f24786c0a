/** Keys remembered in this process; the oldest is removed first. */
const MAX_KEYS = 10_000;
/** Characters at the end of an API key that are kept: enough to tell keys apart, too few to use one. */
const KEY_END = 14;

/**
 * Which merchant an Authorization header belonged to when it was last used. Admission control charges the next request
 * with that header to the merchant before the key is looked up. It grants nothing: every key is looked up all the same.
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

  /** Forgets a key that was refused, so that requests with it no longer use its merchant's quota. */
  forget(authorization: string | undefined): void {
    if (authorization !== undefined) this.#merchants.delete(authorization.slice(-KEY_END));
  }
}
