import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type { NotificationType } from '../acquirer.ts';
import { type Answer, answerWithSubject, type Decision, decide, repeatAnswer } from './answers.ts';
import { BEHAVIOURS, type CallBehaviour } from './behaviours.ts';
import { type Tx, transaction } from './database.ts';
import { notify } from './notifications.ts';
import { acquirerRefusal, changeBy, type ModificationKind, refusalByPayment } from './operation-rules.ts';
import { insertOperation, type Operation } from './operations.ts';
import { changePayment, lockPayment, type Payment } from './payments.ts';
import { scheduleEvent } from './scheduled-events.ts';
import { takeScriptedBehaviour } from './scripts.ts';
import { applyModification } from './settle-operation.ts';
import { addSettlement } from './settlements.ts';
import type { Simulator } from './simulator.ts';

/** A request to capture, cancel or refund a payment. */
export interface Modification extends Operation {
  readonly kind: ModificationKind;
  readonly paymentReference: string;
  readonly method: PaymentMethod;
  readonly amount_centavos: number;
}

/**
 * Captures, cancels or refunds a payment. Its row is locked first, so that simultaneous operations on one payment are
 * decided one after another.
 */
export async function modifyPayment(simulator: Simulator, request: Modification): Promise<Answer> {
  const { account, paymentReference, kind } = request;
  let isNotifiedTwice = false;
  const recorded = await transaction(simulator.pool, async (tx, rollback) => {
    const payment = await lockPayment(tx, account, paymentReference);
    const behaviour = payment ? await behaviourOf(tx, payment, kind) : APPROVE;
    const decision = decide(behaviour, refusalOf(payment, request));
    if (!(await insertOperation(tx, request, decision.recorded))) rollback();
    if (payment) await apply(tx, payment, request, behaviour, decision);
    isNotifiedTwice = await notifyTwice(tx, payment, request, decision);
    return decision;
  });
  if (recorded && isNotifiedTwice) await simulator.outbox.sendDue(account);
  return answerWithSubject(request, recorded ?? (await repeatAnswer(simulator.pool, request)));
}

const APPROVE: CallBehaviour = { outcome: 'approve' };

async function behaviourOf(tx: Tx, payment: Payment, kind: ModificationKind): Promise<CallBehaviour> {
  const call = kind === 'cancel_mandate' ? 'cancel' : kind;
  const scripted = await takeScriptedBehaviour(tx, payment, call);
  return scripted ?? BEHAVIOURS[payment.behaviour][call] ?? APPROVE;
}

function refusalOf(payment: Payment | null, { kind, method, amount_centavos, requestedAt }: Modification) {
  const isKnown = payment !== null && method === payment.method;
  return isKnown
    ? refusalByPayment(kind, payment, amount_centavos, requestedAt)
    : acquirerRefusal('unknown_payment');
}

async function apply(
  tx: Tx,
  payment: Payment,
  request: Modification,
  behaviour: CallBehaviour,
  { recorded }: Decision,
): Promise<void> {
  const { account, reference, kind, amount_centavos, requestedAt } = request;
  if (recorded?.status === 'approved') {
    await applyModification({ tx, payment, at: requestedAt }, kind, amount_centavos);
    if (kind === 'refund') {
      const occurredAt = requestedAt;
      await addSettlement(tx, { account, reference, type: 'refund', amount_centavos, occurredAt });
    }
  }
  if (recorded?.status !== 'pending') return;
  if (kind === 'refund') await changePayment(tx, payment, changeBy(kind, payment, amount_centavos));
  await scheduleEvent(tx, account, {
    event: 'settled',
    dueAt: new Date(requestedAt.getTime() + (behaviour.late_ms ?? 0)),
    reason: behaviour.outcome,
    paymentReference: payment.reference,
    operationReference: reference,
  });
}

async function notifyTwice(tx: Tx, payment: Payment | null, request: Modification, { recorded }: Decision) {
  if (!payment || !BEHAVIOURS[payment.behaviour].notifiedTwice) return false;
  if (recorded?.status !== 'approved' || request.kind === 'cancel_mandate') return false;
  const { account, reference, kind, method, amount_centavos, requestedAt } = request;
  const type: NotificationType = `${kind}.approved`;
  await notify(tx, { account, reference, type, method, occurredAt: requestedAt, amount_centavos }, 2);
  return true;
}
