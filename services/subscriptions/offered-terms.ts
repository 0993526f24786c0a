import type { Checkout } from '../../domain/checkout/checkout.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type DatedBand, datedBands, type OfferedTerms } from '../../domain/subscriptions/offered-terms.ts';
import { type Deps, now } from '../deps.ts';

/** The subscription that a checkout page offers. */
export interface OfferedSubscription {
  readonly interval: OfferedTerms['interval'];
  readonly trialDays: number;
  readonly bands: readonly DatedBand[];
  /** Identifies the price, the interval and the trial. */
  readonly terms: string;
}

/** The subscription that a page offers now; null if its buyers pay once. */
export function offeredSubscription(
  deps: Deps,
  merchant: Merchant,
  { recurrence }: Checkout,
): OfferedSubscription | null {
  if (recurrence === null) return null;
  const { interval, trialDays } = recurrence;
  const bands = datedBands(recurrence, now(deps, merchant));
  return { interval, trialDays, bands, terms: termsOf(deps, recurrence) };
}

/** A hash of the interval, the trial and the prices. It shows whether a buyer agreed to the present terms. */
export function termsOf({ hash }: Pick<Deps, 'hash'>, { interval, trialDays, ladder }: OfferedTerms): string {
  const bands = ladder.map(({ start, end, amount_centavos }) => [start, end, amount_centavos]);
  return hash('checkout-terms', JSON.stringify([interval, trialDays, bands]))
    .subarray(0, 16)
    .toString('base64url');
}
