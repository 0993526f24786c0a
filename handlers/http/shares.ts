import { Refusal } from '../../services/refusal.ts';

const RETRY_AFTER_OVERLOAD_S = 1;

/** The refusal of a request for which there is no room (503). */
export class Overloaded extends Refusal {
  constructor() {
    super('unavailable', {
      code: 'overloaded',
      message: 'Too many requests are being worked on. Try again shortly.',
      retryAfter_s: RETRY_AFTER_OVERLOAD_S,
    });
  }
}

/** Gives the place in a share back. */
export type Leave = () => void;

/**
 * The requests of each merchant that are being worked on. One merchant may fill three quarters of the room and no more:
 * requests that wait for a body that drips in, or for an acquirer that is silent, take next to no work, but their places.
 * Without shares 256 of them, for which one key's rate is enough, kept every other merchant out for seconds.
 */
export class MerchantShares {
  readonly #inFlight = new Map<string, number>();
  readonly #most: number;

  constructor(maxInFlight: number) {
    this.#most = Math.ceil((maxInFlight * 3) / 4);
  }

  /** Takes a place. Throws `Overloaded` when the merchant has all that it may. */
  enter(merchantId: string): Leave {
    const taken = this.#inFlight.get(merchantId) ?? 0;
    if (taken >= this.#most) throw new Overloaded();
    this.#inFlight.set(merchantId, taken + 1);
    return () => {
      const left = this.#inFlight.get(merchantId)! - 1;
      if (left === 0) this.#inFlight.delete(merchantId);
      else this.#inFlight.set(merchantId, left);
    };
  }
}
