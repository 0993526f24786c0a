/** A payer's permission to charge by Pix Automático, as the acquirer stores it. */
export interface Mandate {
  readonly state: 'created' | 'authorized' | 'rejected' | 'expired' | 'canceled';
  /** The id of the mandate in Pix (idRec). */
  readonly chargeCode: string;
  /** Every charge has this amount; null if the amount varies. */
  readonly recurringAmount_centavos: number | null;
  /** No charge is lower; null without a minimum. */
  readonly minAmount_centavos: number | null;
}

/** A mandate that ends. One that has ended before does not change, and only a cancellation ends an authorized one. */
export function endedMandate(
  mandate: Mandate | null,
  state: 'rejected' | 'expired' | 'canceled',
): Mandate | null {
  const isOpen = mandate?.state === 'created' || (mandate?.state === 'authorized' && state === 'canceled');
  return isOpen ? { ...mandate, state } : mandate;
}
