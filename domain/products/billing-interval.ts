/** Months of a billing cycle. */
export const INTERVAL_MONTHS = { monthly: 1, quarterly: 3, 'half-yearly': 6, yearly: 12 } as const;

/** The length of a billing cycle of an offer. */
export type OfferInterval = keyof typeof INTERVAL_MONTHS;

/** The length of a billing cycle of a subscription, which can also be a week. */
export type BillingInterval = OfferInterval | 'weekly';

export const BILLING_INTERVALS: readonly BillingInterval[] = [
  'weekly',
  ...(Object.keys(INTERVAL_MONTHS) as OfferInterval[]),
];
