import type { OfferInterval } from './billing-interval.ts';
import type { PriceBand } from './price-ladder.ts';

export type { OfferInterval };

export type OfferType = 'one_time' | 'recurring';

/** An archived offer accepts no purchases. */
export type OfferState = 'active' | 'archived';

/** A price at which a product is sold. */
export interface Offer {
  readonly id: string;
  readonly hash: string;
  readonly productId: string;
  readonly type: OfferType;
  readonly name: string;
  readonly state: OfferState;
  /** For a recurring offer, the price of the last band. */
  readonly amount_centavos: number;
  readonly currency: 'BRL';
  /** Null for an offer that is paid once. */
  readonly interval: OfferInterval | null;
  /** Free days before the first charge. */
  readonly trialDays: number;
  /** Empty for an offer that is paid once. */
  readonly cycles: readonly PriceBand[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
