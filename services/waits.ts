import type { Acquirer } from '../gateway/acquirer.ts';

/**
 * The requests of each merchant that wait for somebody else: they hold a place, but cost nothing meanwhile. What jobs wait
 * for counts as well, a batch of them at most.
 */
export class Waits {
  readonly #ofMerchant = new Map<string, number>();
  #all = 0;
  #begun = () => {};

  /** Has `listener`, the last one told, called whenever a request begins to wait. */
  onBegin(listener: () => void): void {
    this.#begun = listener;
  }

  /** How many wait now, of one merchant or of all. */
  of(merchantId?: string): number {
    return merchantId === undefined ? this.#all : (this.#ofMerchant.get(merchantId) ?? 0);
  }

  /** Counts a merchant's request as waiting until `work` is done. */
  async during<R>(merchantId: string, work: Promise<R>): Promise<R> {
    this.#all += 1;
    this.#ofMerchant.set(merchantId, this.of(merchantId) + 1);
    this.#begun();
    try {
      return await work;
    } finally {
      this.#all -= 1;
      const left = this.of(merchantId) - 1;
      if (left === 0) this.#ofMerchant.delete(merchantId);
      else this.#ofMerchant.set(merchantId, left);
    }
  }

  /** The same acquirer, whose calls are counted while they are under way. */
  forAnswersOf(acquirer: Acquirer): Acquirer {
    return {
      isConfigured: acquirer.isConfigured,
      perform: (command) => this.during(command.account, acquirer.perform(command)),
      inquire: (inquiry) => this.during(inquiry.account, acquirer.inquire(inquiry)),
    };
  }
}
