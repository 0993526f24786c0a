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
  state: Exclude<ReportedCharge['state'], 'unreadable'>;
  amount_centavos: number;
  /** Why a charge was refused; null otherwise. */
  refusal: PaymentRefusal | null;
  /** The id of the transfer that paid a charge; null otherwise. */
  end_to_end_id: string | null;
  /** When it was paid, authorized or ended; null while it is open. */
  occurred_at: string | null;
  /** Set for a mandate that was authorized, or with which the charge was canceled. */
  mandate?: WireMandate | null;
}

const UNPAID = ['refused', 'expired', 'canceled'] as const;
const STATES: readonly string[] = ['open', 'paid', 'authorized', ...UNPAID] satisfies WireCharge['state'][];

/**
 * The state of a charge in an answer; undefined if the answer has none. A value that cannot be read is `unreadable`,
 * because the charge may have been paid. If at least its state says that the charge was not paid, it counts as none.
 */
export function readCharge(value: unknown): ReportedCharge | undefined {
  if (value === undefined || value === null) return undefined;
  const charge = isObject(value) ? readState(value) : undefined;
  if (charge !== undefined) return charge;
  const isUnpaid = isObject(value) && UNPAID.some((state) => state === value.state);
  return isUnpaid ? undefined : { state: 'unreadable' };
}

function readState(value: Fields): ReportedCharge | undefined {
  const { amount_centavos, end_to_end_id } = value;
  if (!isState(value.state)) return undefined;
  const { state } = value;
  if (state === 'open') return { state };
  const occurredAt = new Date(isText(value.occurred_at) ? value.occurred_at : Number.NaN);
  const refusal = readRefusal(value.refusal);
  if (!isAmount(amount_centavos) || Number.isNaN(occurredAt.getTime())) return undefined;
  if (state === 'refused' && refusal === null) return undefined;
  const endToEndId = isText(end_to_end_id) ? end_to_end_id : null;
  const mandate = isObject(value.mandate) && { mandate: readMandate(value.mandate) };
  return { state, amount_centavos, refusal, endToEndId, occurredAt, ...mandate };
}

function isState(value: unknown): value is WireCharge['state'] {
  return isText(value) && STATES.includes(value);
}
