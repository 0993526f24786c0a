import type { CardBrand } from './card-number.ts';

export const NETWORK_TOKEN_STATUSES = ['none', 'requested', 'active', 'failed'] as const;
export type NetworkTokenStatus = (typeof NETWORK_TOKEN_STATUSES)[number];

/** A stored card without its sealed data. */
export interface Card {
  readonly id: string;
  readonly customerId: string;
  readonly holder: string;
  readonly brand: CardBrand;
  readonly first6: string;
  readonly last4: string;
  /** `MM` */
  readonly expMonth: string;
  /** `YY` */
  readonly expYear: string;
  readonly networkTokenStatus: NetworkTokenStatus;
  /** When a payment was first authorized with it. */
  readonly authorizedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Whether a number is that of the card now, by its last digits. The network reports those of a number by which the
 * issuer has replaced it. Only the network token can be charged then.
 */
export function isNumberOf({ last4 }: Pick<Card, 'last4'>, number: string): boolean {
  return number.endsWith(last4);
}
