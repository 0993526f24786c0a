import { MINUTE_MS } from '../durations.ts';
import type { MandateState } from './mandate-moves.ts';

/** How long a payer can use the QR code of a mandate. */
const QR_VALIDITY_MS = 30 * MINUTE_MS;

/** Until when the payer can authorize a mandate that is requested at `at`. */
export function qrExpiry(at: Date): Date {
  return new Date(at.getTime() + QR_VALIDITY_MS);
}

/** A payer's permission to charge by Pix Automático. */
export interface Mandate extends AgreedTerms {
  readonly id: string;
  readonly subscriptionId: string;
  /** The payment with which it was requested. */
  readonly paymentId: string;
  /** The reference of that payment, by which the acquirer knows the mandate. */
  readonly reference: string;
  readonly state: MandateState;
  /** Its id in Pix (idRec); null until the payer has authorized it. */
  readonly chargeCode: string | null;
  /** Why the acquirer or the payer canceled it; null otherwise. */
  readonly cancellationCode: string | null;
  readonly createdAt: Date;
}

/** What a payer agrees to. */
export interface AgreedTerms {
  readonly interval: 'weekly' | 'monthly' | 'quarterly' | 'half-yearly' | 'yearly';
  /** The day of the first charge that the mandate pays, `YYYY-MM-DD`. */
  readonly firstChargeOn: string;
  /** Every charge has exactly this amount. Null if the amount varies. */
  readonly recurringAmount_centavos: number | null;
  /** No charge is lower. Null if there is no minimum. Never set together with the fixed amount. */
  readonly minAmount_centavos: number | null;
  /** Whether a refused charge may be retried after its due date. */
  readonly allowsRetries: boolean;
  /** What the payer sees of each charge, at most 35 characters. */
  readonly statement: string | null;
}
