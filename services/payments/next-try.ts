import { countRefusedBefore } from '../../db/payments/payment-operations.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { pauseAfterUnsent_ms } from '../../domain/payments/unsent-schedule.ts';
import type { TransactionContext } from '../deps.ts';

/** How long a cancellation waits for the outcome of another operation of its payment (merchant's time). */
export const OUTCOME_PAUSE_MS = 60_000;

/** When an operation that the acquirer has never received is requested again. `at` is the merchant's time. */
export async function nextTryAt(
  { tx, merchant }: TransactionContext,
  operation: PaymentOperation,
  at: Date,
): Promise<Date> {
  const unsent = (await countRefusedBefore(tx, merchant, operation)) + 1;
  return new Date(at.getTime() + pauseAfterUnsent_ms(unsent));
}
