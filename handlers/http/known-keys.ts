/** Keys remembered per process; the oldest is forgotten first. */
const MAX_KNOWN_KEYS = 10_000;
/** End of an API key by which its merchant is remembered: enough to tell keys apart, too little to use one. */
const KEY_END = 14;

/** Whose key it was, by the Authorization header, at its last use: whoever is let in on this is still asked who they are. */
export class KnownKeys {
  readonly #merchantOf = new Map<string, string>();

  merchantOf(authorization: string | undefined): string | undefined {
    return authorization === undefined ? undefined : this.#merchantOf.get(authorization.slice(-KEY_END));
  }

  remember(authorization: string | undefined, merchantId: string): void {
    const end = authorization?.slice(-KEY_END) ?? '';
    if (this.#merchantOf.get(end) === merchantId) return;
    if (this.#merchantOf.size >= MAX_KNOWN_KEYS) {
      this.#merchantOf.delete(this.#merchantOf.keys().next().value!);
    }
    this.#merchantOf.set(end, merchantId);
  }

  /** A key that is good no more takes nothing of what its merchant may have. */
  forget(authorization: string | undefined): void {
    if (authorization !== undefined) this.#merchantOf.delete(authorization.slice(-KEY_END));
  }
}
