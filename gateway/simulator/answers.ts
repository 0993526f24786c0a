import { cardRefusal, type PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { WireAnswer, WireApproval, WireOperation, WireOutcome } from '../wire.ts';
import type { CallBehaviour } from './behaviours.ts';
import type { Queryable } from './database.ts';
import { acquirerRefusal } from './operation-rules.ts';
import { type Operation, readOperation } from './operations.ts';
import { newReference } from './random.ts';

/** What the caller receives. Null: no answer. */
export interface Answer {
  readonly outcome: WireOutcome | null;
}

/** The reference was used for something else. */
export class ReferenceReused extends Error {}

/** The outcome to record (null: the request is lost), and what the caller receives. */
export interface Decision extends Answer {
  readonly recorded: WireOutcome | null;
}

/**
 * Decides a call. A refusal by the state of the payment takes precedence over the behaviour. An answer that the
 * behaviour loses is lost in any case.
 */
export function decide(
  behaviour: CallBehaviour,
  refusal: PaymentRefusal | null,
  approval: WireApproval = {},
): Decision {
  if (behaviour.outcome === 'time_out_lost') return { recorded: null, outcome: null };
  const recorded = outcomeOf(behaviour, refusal, approval);
  return { recorded, outcome: behaviour.outcome === 'time_out' ? null : recorded };
}

function outcomeOf(
  { outcome, late_ms }: CallBehaviour,
  refusal: PaymentRefusal | null,
  approval: WireApproval,
): WireOutcome {
  if (refusal) return { status: 'refused', refusal };
  if (late_ms !== undefined) return { status: 'pending', acquirer_reference: newReference() };
  if (outcome === 'approve' || outcome === 'time_out') {
    return { status: 'approved', acquirer_reference: newReference(), ...approval };
  }
  return { status: 'refused', refusal: cardRefusal(outcome) };
}

/** The first answer to a reference, for a request that repeats it. Throws when the reference was for something else. */
export async function repeatAnswer(q: Queryable, operation: Operation): Promise<Answer> {
  const before = await readOperation(q, operation.account, operation.reference);
  if (!before) throw new Error('The account was reset during the request.');
  if (before.status === 'sealed') {
    return { outcome: { status: 'refused', refusal: acquirerRefusal('sealed') } };
  }
  const isSame =
    before.kind === operation.kind &&
    before.paymentReference === operation.paymentReference &&
    before.method === operation.method &&
    before.amount_centavos === operation.amount_centavos;
  if (!isSame) throw new ReferenceReused();
  return { outcome: before.firstAnswer };
}

/** Adds the subject of the outcome, as the wire format requires. A network token has no method and no amount. */
export function answerWithSubject({ kind, method, amount_centavos }: Subject, { outcome }: Answer): Answer {
  if (outcome === null || method === null || amount_centavos === null) return { outcome };
  const answer: WireAnswer = { ...outcome, operation: kind as WireOperation, method, amount_centavos };
  return { outcome: answer };
}

interface Subject extends Pick<Operation, 'method' | 'amount_centavos'> {
  readonly kind: string;
}
