import { refusedBefore } from '../../db/payments/payment-operations.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { NOT_RECEIVED, type PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { pauseAfterUnsent_ms } from '../../domain/payments/unsent-schedule.ts';
import type { TransactionContext } from '../deps.ts';

const OUTCOME_PAUSE_MS = MINUTE_MS;
const MAX_OUTCOME_PAUSE_MS = 7 * DAY_MS;

/**
 * When to try again a step that waits for the outcome of another operation of its payment. `at` is the merchant's time.
 * While the clock is advanced, the acquirer is asked for the outcome each time, and the pause grows with the time that
 * has passed, to a week, so that an advance ends although the acquirer does not answer.
 */
export function afterOutcomeAt({ clock }: Merchant, open: PaymentOperation, at: Date): Date {
  const waited_ms = clock.pinnedAt === null ? 0 : at.getTime() - open.createdAt.getTime();
  const pause_ms = Math.min(Math.max(waited_ms, OUTCOME_PAUSE_MS), MAX_OUTCOME_PAUSE_MS);
  return new Date(at.getTime() + pause_ms);
}

/** When an operation that the acquirer has never received is requested again. `at` is the merchant's time. */
export async function nextTryAt(
  { tx, merchant }: TransactionContext,
  operation: PaymentOperation,
  at: Date,
): Promise<Date> {
  const refused = await refusedBefore(tx, merchant, operation);
  const unsent = refused.filter(({ refusalCode }) => refusalCode === NOT_RECEIVED).length + 1;
  return new Date(at.getTime() + pauseAfterUnsent_ms(unsent));
}
