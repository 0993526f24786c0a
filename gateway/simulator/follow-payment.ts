import type { PaymentMethod } from '../../domain/merchants/merchant.ts';
import type { NotificationType } from '../acquirer.ts';
import { type Act, BEHAVIOURS } from './behaviours.ts';
import { bookRefusal, changeBy, type PaymentOperation, refusedByBooks } from './book-rules.ts';
import { notify } from './notifications.ts';
import { bookOperation, type Operation } from './operations.ts';
import { changePayment, lockPayment, methodOf, type Payment } from './payments.ts';
import { plan } from './planned.ts';
import { answerTo, type Decision, decide, type Reply, repeat } from './replies.ts';
import { takeScriptStep } from './scripts.ts';
import { applyToPayment } from './settle.ts';
import type { Simulator } from './simulator.ts';
import { type Tx, transaction } from './store.ts';

/** A capture, cancellation or refund as it was asked. */
export interface Following extends Operation {
  readonly kind: PaymentOperation;
  readonly paymentReference: string;
  readonly method: PaymentMethod;
  readonly amount_centavos: number;
}

/**
 * Captures, cancels or refunds a payment. Its row is locked first, so that whatever is asked of one payment at the
 * same time is decided one after another, each on what the one before left.
 */
export async function follow(simulator: Simulator, asked: Following): Promise<Reply> {
  const { account, paymentReference, kind } = asked;
  let twice = false;
  const booked = await transaction(simulator.pool, async (tx, rollback) => {
    const payment = await lockPayment(tx, account, paymentReference);
    const act = payment ? await actFor(tx, payment, kind) : APPROVE;
    const decision = decide(act, refusalOf(payment, asked));
    if (!(await bookOperation(tx, asked, decision.booked))) rollback();
    if (payment) await apply(tx, payment, asked, act, decision);
    twice = await tellTwice(tx, payment, asked, decision);
    return decision;
  });
  if (booked && twice) await simulator.outbox.sendDue(account);
  return answerTo(asked, booked ?? (await repeat(simulator.pool, asked)));
}

const APPROVE: Act = { outcome: 'approve' };

async function actFor(tx: Tx, payment: Payment, kind: PaymentOperation): Promise<Act> {
  const scripted = await takeScriptStep(tx, payment, kind);
  return scripted ?? BEHAVIOURS[payment.behaviour][kind] ?? APPROVE;
}

function refusalOf(payment: Payment | null, asked: Following) {
  if (!payment || methodOf(payment) !== asked.method) return bookRefusal('unknown_payment');
  return refusedByBooks(asked.kind, payment, asked.amount_centavos);
}

async function apply(
  tx: Tx,
  payment: Payment,
  asked: Following,
  act: Act,
  { booked }: Decision,
): Promise<void> {
  const { account, reference, kind, amount_centavos, requestedAt } = asked;
  if (booked?.status === 'approved') await applyToPayment(tx, payment, kind, amount_centavos, requestedAt);
  if (booked?.status !== 'pending') return;
  if (kind === 'refund') await changePayment(tx, payment, changeBy(kind, payment, amount_centavos));
  await plan(tx, account, {
    happening: 'settled',
    dueAt: new Date(requestedAt.getTime() + (act.late_ms ?? 0)),
    reason: act.outcome,
    paymentReference: payment.reference,
    operationReference: reference,
  });
}

async function tellTwice(tx: Tx, payment: Payment | null, asked: Following, { booked }: Decision) {
  if (!payment || !BEHAVIOURS[payment.behaviour].notifiedTwice || booked?.status !== 'approved') return false;
  const { account, reference, kind, method, amount_centavos, requestedAt } = asked;
  const type: NotificationType = `${kind}.approved`;
  await notify(tx, { account, reference, type, method, occurredAt: requestedAt, amount_centavos }, 2);
  return true;
}
