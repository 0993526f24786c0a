import { Counts } from '../counts.ts';
import { Refusal } from '../refusal.ts';

/** Of one payment: the buyer's page on a few devices (contract row 13.16). */
const MAX_PER_PAYMENT = 4;
/** Of a process. Each reads its payment every second. */
const MAX_IN_ALL = 256;
/** Of a merchant, so that the open pages of one leave streams to the buyers of others. */
const MAX_PER_MERCHANT = MAX_IN_ALL / 4;
const RETRY_AFTER_S = 5;

/** Counts the streams of this process that follow payments. They hold no ticket of admission control. */
export class PaymentStreams {
  readonly #ofPayments = new Counts();
  readonly #ofMerchants = new Counts();
  readonly #stopping = new AbortController();

  /** Counts a stream until the result is disposed. Refusal: `too_many_waits`. */
  open(merchantId: string, paymentId: string): Disposable {
    const isFull =
      this.#ofPayments.of(paymentId) >= MAX_PER_PAYMENT ||
      this.#ofMerchants.of(merchantId) >= MAX_PER_MERCHANT ||
      this.#ofPayments.total >= MAX_IN_ALL;
    if (isFull) {
      throw new Refusal('too_many_waits', {
        message: 'Too many streams of events are open. Read the payment every few seconds instead.',
        retryAfter_s: RETRY_AFTER_S,
      });
    }
    const count = (change: number) => {
      this.#ofPayments.add(paymentId, change);
      this.#ofMerchants.add(merchantId, change);
    };
    count(1);
    return { [Symbol.dispose]: () => count(-1) };
  }

  /** Aborted when the service stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Ends all streams. */
  stop(): void {
    this.#stopping.abort();
  }
}
