import type { PaymentRefusal } from '../domain/payments/refusal-reasons.ts';
import type { ReportedCharge } from './acquirer.ts';
import {
  type Fields,
  isAmount,
  isObject,
  isText,
  readMandate,
  readRefusal,
  type WireMandate,
} from './wire-values.ts';

/** What has become of a charge that the acquirer has accepted, or of a request for a mandate. */
export interface WireCharge {
  state: ReportedCharge['state'];
  amount_centavos: number;
  /** Of a refused charge; null otherwise. */
  refusal: PaymentRefusal | null;
  /** Of a paid charge; null otherwise. */
  end_to_end_id: string | null;
  /** When it was paid, authorized or ended; null while it is open. */
  occurred_at: string | null;
  /** Of a mandate that was authorized. */
  mandate?: WireMandate | null;
}

const STATES: readonly ReportedCharge['state'][] = [
  'open',
  'paid',
  'authorized',
  'refused',
  'expired',
  'canceled',
];

/** The state of a charge in an answer. Null if it is malformed. */
export function readCharge({ state, ...fields }: Fields): ReportedCharge | null {
  const known = STATES.find((name) => name === state);
  if (known === undefined) return null;
  if (known === 'open') return { state: known };
  const { amount_centavos, end_to_end_id } = fields;
  const occurredAt = new Date(isText(fields.occurred_at) ? fields.occurred_at : Number.NaN);
  const refusal = readRefusal(fields.refusal);
  if (!isAmount(amount_centavos) || Number.isNaN(occurredAt.getTime())) return null;
  if (known === 'refused' && refusal === null) return null;
  const endToEndId = isText(end_to_end_id) ? end_to_end_id : null;
  const mandate = isObject(fields.mandate) && { mandate: readMandate(fields.mandate) };
  return { state: known, amount_centavos, refusal, endToEndId, occurredAt, ...mandate };
}
