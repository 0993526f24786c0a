import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { findPayment } from '../../db/payments/payments.ts';
import type { CheckoutPayment } from '../../domain/checkout/checkout-payment.ts';
import type { CheckoutStatus } from '../../domain/checkout/checkout-status.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { requireRow } from '../refusal.ts';
import { findCheckoutPayment } from './find-owner.ts';
import { shownOutcome } from './shown-checkout.ts';

const POLL_MS = 1_000;
/** Shorter than the timeouts of proxies, and than the server's own for a silent connection. */
const SILENCE_MS = 15_000;
/** A browser then opens a new stream, perhaps at another process. */
const LONGEST_MS = 5 * MINUTE_MS;

/** The buyer has nothing to wait for. */
const FINAL: readonly CheckoutStatus[] = ['paid', 'authorized', 'refused', 'expired', 'canceled', 'refunded'];

export interface PaymentFollower {
  /** Called with the payment as it is now, and after each change. */
  changed(payment: CheckoutPayment): void;
  /** Called when nothing has changed for a while. */
  unchanged(): void;
  /** Aborted when it has left. */
  readonly closed: AbortSignal;
}

/**
 * Follows a payment of a checkout page until its outcome is known, for 5 minutes at most, or until the follower has
 * left.
 */
export async function followPayment(
  deps: Deps,
  scope: MerchantScope,
  first: CheckoutPayment,
  follower: PaymentFollower,
): Promise<void> {
  const signal = AbortSignal.any([follower.closed, deps.paymentStreams.stopping]);
  const end_ms = performance.now() + LONGEST_MS;
  let written_ms = performance.now();
  let { payment } = first;
  follower.changed(first);
  while (!FINAL.includes(shownOutcome(payment).status) && performance.now() < end_ms) {
    await pause(POLL_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const read = requireRow(await findPayment(deps.db, scope, payment.id));
    if (!isDeepStrictEqual(visibleOf(read), visibleOf(payment))) {
      const changed = await findCheckoutPayment(deps, payment.hash);
      payment = changed.payment;
      follower.changed(changed);
      written_ms = performance.now();
    } else if (performance.now() - written_ms > SILENCE_MS) {
      follower.unchanged();
      written_ms = performance.now();
    }
  }
}

/** What a buyer sees of a payment. `updatedAt` alone is not enough, because two changes can have the same time. */
function visibleOf({ status, captured_centavos, refunded_centavos, details, updatedAt }: Payment) {
  return { status, captured_centavos, refunded_centavos, details, updatedAt };
}
