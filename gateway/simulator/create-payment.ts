import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type { NotificationType } from '../acquirer.ts';
import { type Answer, answerWithSubject, type Decision, decide, repeatAnswer } from './answers.ts';
import { BEHAVIOURS, type CallBehaviour } from './behaviours.ts';
import { type Tx, transaction } from './database.ts';
import type { Fields } from './fields.ts';
import { SIMULATED_METHODS } from './methods/index.ts';
import type { Creation, CreationRequest } from './methods/method.ts';
import { notify } from './notifications.ts';
import { insertOperation, insertPayment, type Operation } from './operations.ts';
import type { Payment } from './payments.ts';
import { scheduleEvent, scheduleFollowUps, schedulePaymentEvent } from './scheduled-events.ts';
import { scriptedBehaviour, takeScriptedOutcome } from './scripts.ts';
import { approvedState } from './settle-operation.ts';
import type { Simulator } from './simulator.ts';

/** Authorizes a payment or registers a charge, depending on the method. */
export async function createPayment(
  simulator: Simulator,
  { method, creation }: { readonly method: PaymentMethod; readonly creation: Creation },
  request: CreationRequest,
  fields: Fields,
): Promise<Answer> {
  const payment: Payment = {
    ...pendingPayment(request),
    method,
    ...(await creation.read(fields, request, simulator)),
  };
  const operation: Operation = {
    account: payment.account,
    reference: payment.reference,
    kind: creation.operation,
    paymentReference: null,
    method,
    amount_centavos: payment.amount_centavos,
    requestedAt: payment.createdAt,
  };
  return answerWithSubject(operation, await record(simulator, creation, operation, payment));
}

/** Writes the payment, its operation and its expiry in one statement. Uses a transaction if more must be written. */
async function record(
  simulator: Simulator,
  creation: Creation,
  operation: Operation,
  payment: Payment,
): Promise<Answer> {
  const { account } = payment;
  const { authorize: behaviour = APPROVE, followUps, notifiedTwice } = BEHAVIOURS[payment.behaviour];
  const approval = creation.approval(payment);
  const usual = decide(behaviour, null, approval);
  const { recorded: outcome } = usual;
  const isFinal = outcome !== null && outcome.status !== 'pending';
  if (isFinal && !followUps && !notifiedTwice && !creation.payerEvent && !creation.refusal) {
    const created = withState(payment, usual);
    if (await simulator.together.insertPayment({ operation, outcome, payment: created })) return usual;
  }
  const recorded = await transaction(simulator.pool, async (tx, rollback) => {
    const scriptedOutcome = await takeScriptedOutcome(tx, payment, creation.scriptedAs ?? 'authorize');
    const scripted = scriptedOutcome === null ? null : answerOf(creation, scriptedOutcome);
    const refusal = (await creation.refusal?.(tx, payment)) ?? null;
    const decision = decide(scripted ?? behaviour, refusal, approval);
    const created = withState(payment, decision);
    const isNew = decision.recorded
      ? await insertPayment(tx, { operation, outcome: decision.recorded, payment: created })
      : await insertOperation(tx, operation, null);
    if (!isNew) rollback();
    await scheduleWhatFollows(tx, created, decision, scripted ?? behaviour);
    const byPayer = created.state === 'open' ? creation.payerEvent?.(created, scriptedOutcome) : null;
    if (byPayer != null) await schedulePaymentEvent(tx, created, byPayer);
    if (notifiedTwice && decision.recorded?.status === 'approved') await notifyTwice(tx, created, operation);
    return decision;
  });
  if (recorded && notifiedTwice) await simulator.outbox.sendDue(account);
  return recorded ?? repeatAnswer(simulator.pool, operation);
}

const APPROVE: CallBehaviour = { outcome: 'approve' };

/** How a scripted call is answered. If the payer decides later, the script can only lose the answer. */
function answerOf(creation: Creation, outcome: string): CallBehaviour {
  const scripted = scriptedBehaviour(outcome);
  const isAboutAnswer = scripted.outcome === 'time_out' || scripted.outcome === 'time_out_lost';
  return creation.payerEvent === undefined || isAboutAnswer ? scripted : APPROVE;
}

/** A payment before its method is read. */
export function pendingPayment({
  account,
  reference,
  requestedAt,
  amount_centavos,
  customer,
}: CreationRequest) {
  return {
    account,
    reference,
    state: 'pending' as const,
    amount_centavos,
    captured_centavos: 0,
    refunded_centavos: 0,
    capture: false,
    customerId: customer.id,
    card: null,
    txid: null,
    dueDate: null,
    expiresAt: null,
    endToEndId: null,
    mandate: null,
    mandateReference: null,
    credential: null,
    chargeback: 'none' as const,
    disputeId: null,
    refusal: null,
    endedAt: null,
    capturedAt: null,
    createdAt: requestedAt,
  };
}

function withState(payment: Payment, { recorded }: Decision): Payment {
  if (recorded?.status !== 'approved') return { ...payment, state: recorded?.status ?? 'refused' };
  const state = approvedState(payment);
  if (state !== 'captured') return { ...payment, state };
  return { ...payment, state, captured_centavos: payment.amount_centavos, capturedAt: payment.createdAt };
}

/** Schedules the late answer, the expiry of a charge, and the follow-ups of the behaviour. */
async function scheduleWhatFollows(
  tx: Tx,
  payment: Payment,
  { recorded }: Decision,
  behaviour: CallBehaviour,
): Promise<void> {
  const { account, reference, createdAt } = payment;
  if (recorded?.status === 'pending') {
    await scheduleEvent(tx, account, {
      event: 'settled',
      dueAt: new Date(createdAt.getTime() + (behaviour.late_ms ?? 0)),
      reason: behaviour.outcome,
      paymentReference: reference,
      operationReference: reference,
    });
  }
  if (recorded?.status !== 'approved') return;
  await scheduleFollowUps(tx, payment, 'accepted', createdAt);
  if (payment.state === 'captured') await scheduleFollowUps(tx, payment, 'paid', createdAt);
  const { expiresAt: dueAt } = payment;
  if (dueAt) await schedulePaymentEvent(tx, payment, { event: 'expired', dueAt });
}

/** Only an authorization is notified when it is approved. A charge is notified when it is paid. */
async function notifyTwice(tx: Tx, payment: Payment, operation: Operation): Promise<void> {
  if (SIMULATED_METHODS[payment.method].type !== 'authorization') return;
  const type: NotificationType = 'authorization.approved';
  const { account, reference, method, amount_centavos, requestedAt } = operation;
  await notify(tx, { account, reference, type, method, occurredAt: requestedAt, amount_centavos }, 2);
}
