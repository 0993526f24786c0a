import { type DisputeNotice, disputeReason } from '../domain/payments/dispute-notice.ts';
import type { ReportedDisputeChange, ReportedDisputes } from './acquirer.ts';
import { type Fields, isAmount, isObject, isText } from './wire-values.ts';

export interface WireDispute {
  /**
   * The acquirer's id of the dispute, the same in all its notifications. If it is null or missing, the times of the
   * notifications decide to which dispute of the payment they belong.
   */
  id?: string | null;
  /**
   * In `chargeback.requested`, the id of the dispute that the payment had before, whose notifications are applied
   * first.
   */
  previous_id?: string | null;
  /** The same: why the buyer disputes the payment. A reason that the service does not know counts as `general`. */
  reason?: string | null;
  /** The same: until when evidence is accepted. If it is null or missing, the service sets a deadline. */
  evidence_due_at?: string | null;
}

/** The same as one notification `chargeback.*`, in the answer to an inquiry. */
export interface WireDisputeChange {
  state: ReportedDisputeChange['state'];
  amount_centavos: number;
  occurred_at: string;
  dispute: WireDispute;
}

/** What cannot be read is left out: a dispute is opened in any case. */
export function readDispute({ id, previous_id, reason, evidence_due_at }: Fields): DisputeNotice {
  const dueAt = new Date(isText(evidence_due_at) ? evidence_due_at : Number.NaN);
  return {
    reference: disputeId(id),
    previousReference: disputeId(previous_id),
    reason: disputeReason(isText(reason) ? reason : null),
    evidenceDueAt: Number.isNaN(dueAt.getTime()) ? null : dueAt,
  };
}

function disputeId(value: unknown): string | null {
  return isText(value) && /^[\x21-\x7e]{1,100}$/.test(value) ? value : null;
}

const STATES: readonly string[] = [
  'requested',
  'dispute',
  'won',
  'lost',
] satisfies WireDisputeChange['state'][];

/** The disputes in an answer. They are cut before a change that cannot be read, because later ones follow from it. */
export function readDisputes(value: unknown): ReportedDisputes {
  if (value === undefined || value === null) return {};
  const changes = Array.isArray(value) ? value.map(readChange) : [null];
  const cutAt = changes.indexOf(null);
  const disputes = (cutAt === -1 ? changes : changes.slice(0, cutAt)) as ReportedDisputeChange[];
  return {
    ...(disputes.length > 0 && { disputes }),
    ...(cutAt !== -1 && { areDisputesCut: true }),
  };
}

function readChange(value: unknown): ReportedDisputeChange | null {
  if (!isObject(value)) return null;
  const { state, amount_centavos, dispute } = value;
  const occurredAt = new Date(isText(value.occurred_at) ? value.occurred_at : Number.NaN);
  if (!isText(state) || !STATES.includes(state)) return null;
  if (!isAmount(amount_centavos) || Number.isNaN(occurredAt.getTime())) return null;
  return {
    state: state as ReportedDisputeChange['state'],
    amount_centavos,
    occurredAt,
    dispute: readDispute(isObject(dispute) ? dispute : {}),
  };
}
