import { cardRefusal, type PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { WireAnswer, WireApproval, WireOperation, WireOutcome } from '../wire.ts';
import type { Act } from './behaviours.ts';
import { bookRefusal } from './book-rules.ts';
import { type Operation, readOperation } from './operations.ts';
import { newReference } from './random.ts';
import type { Queryable } from './store.ts';

/** What the caller is told; null is silence. */
export interface Reply {
  readonly outcome: WireOutcome | null;
}

/** The reference was used for something else. */
export class ReferenceReused extends Error {}

/** What an act makes of a call: the outcome to book (null: the request is lost), and what the caller is told. */
export interface Decision extends Reply {
  readonly booked: WireOutcome | null;
}

/** Decides a call. The books' own refusal stands above what the act wants; a lost answer stays lost. */
export function decide(
  act: Act,
  refusedByBooks: PaymentRefusal | null,
  approval: WireApproval = {},
): Decision {
  if (act.outcome === 'time_out_lost') return { booked: null, outcome: null };
  const booked = outcomeOf(act, refusedByBooks, approval);
  return { booked, outcome: act.outcome === 'time_out' ? null : booked };
}

function outcomeOf(act: Act, refusedByBooks: PaymentRefusal | null, approval: WireApproval): WireOutcome {
  if (refusedByBooks) return { status: 'refused', refusal: refusedByBooks };
  if (act.late_ms !== undefined) return { status: 'pending', acquirer_reference: newReference() };
  if (act.outcome === 'approve' || act.outcome === 'time_out') {
    return { status: 'approved', acquirer_reference: newReference(), ...approval };
  }
  return { status: 'refused', refusal: cardRefusal(act.outcome) };
}

/** The answer to a reference that was seen before: the first one again. Throws when it named something else. */
export async function repeat(q: Queryable, operation: Operation): Promise<Reply> {
  const before = await readOperation(q, operation.account, operation.reference);
  if (!before) throw new Error('The account was reset meanwhile.');
  if (before.status === 'sealed') return { outcome: { status: 'refused', refusal: bookRefusal('sealed') } };
  const same =
    before.kind === operation.kind &&
    before.paymentReference === operation.paymentReference &&
    before.method === operation.method &&
    before.amount_centavos === operation.amount_centavos;
  if (!same) throw new ReferenceReused();
  return { outcome: before.firstAnswer };
}

/** The reply as it is sent: an outcome names what it is about. A network token has no method and no amount. */
export function answerTo({ kind, method, amount_centavos }: Subject, { outcome }: Reply): Reply {
  if (outcome === null || method === null || amount_centavos === null) return { outcome };
  const answer: WireAnswer = { ...outcome, operation: kind as WireOperation, method, amount_centavos };
  return { outcome: answer };
}

interface Subject extends Pick<Operation, 'method' | 'amount_centavos'> {
  readonly kind: string;
}
