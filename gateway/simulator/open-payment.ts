import type { NotificationType } from '../acquirer.ts';
import type { WireApproval } from '../wire.ts';
import { type Act, BEHAVIOURS } from './behaviours.ts';
import { chooseBehaviour } from './magic-values.ts';
import { notify } from './notifications.ts';
import { bookOperation, bookPayment, type Operation } from './operations.ts';
import { methodOf, type Payment, type PaymentState } from './payments.ts';
import { plan, planFollowUps, planForPayment } from './planned.ts';
import { authorizationCode, chargeLocation } from './random.ts';
import { answerTo, type Decision, decide, type Reply, repeat } from './replies.ts';
import { takeScriptStep } from './scripts.ts';
import type { Simulator } from './simulator.ts';
import { type Tx, transaction } from './store.ts';

/** Fields of a request that opens a payment. The card number decides, and is forgotten. */
export interface Opening {
  readonly account: string;
  readonly reference: string;
  readonly requestedAt: Date;
  readonly amount_centavos: number;
  readonly customer: { readonly id: string; readonly document: string | null };
}

export interface Authorization extends Opening {
  readonly capture: boolean;
  readonly card: { readonly id: string; readonly number: string };
}

export interface PixCharge extends Opening {
  readonly txid: string;
  readonly expiresAt: Date;
}

/** Authorizes a card, and captures at once where that was asked. */
export function authorize(simulator: Simulator, asked: Authorization): Promise<Reply> {
  const { number, id } = asked.card;
  const behaviour = chooseBehaviour({ number, document: asked.customer.document });
  const card = { id, first6: number.slice(0, 6), last4: number.slice(-4) };
  const payment: Payment = { ...blank(asked), method: 'card', behaviour, capture: asked.capture, card };
  return openAndAnswer(simulator, 'authorization', payment, { authorization_code: authorizationCode() });
}

/** Registers a Pix charge, which then waits for its payer. */
export function createPixCharge(simulator: Simulator, asked: PixCharge): Promise<Reply> {
  const { amount_centavos, customer, txid, expiresAt } = asked;
  const behaviour = chooseBehaviour({ pixAmount_centavos: amount_centavos, document: customer.document });
  const payment: Payment = { ...blank(asked), method: 'pix', behaviour, txid, expiresAt };
  const receiver = { receiver_name: 'LOJA DE TESTE', receiver_city: 'SAO PAULO' };
  return openAndAnswer(simulator, 'pix_charge', payment, { location: chargeLocation(), ...receiver });
}

async function openAndAnswer(
  simulator: Simulator,
  kind: 'authorization' | 'pix_charge',
  payment: Payment,
  approval: WireApproval,
): Promise<Reply> {
  const operation: Operation = {
    account: payment.account,
    reference: payment.reference,
    kind,
    paymentReference: null,
    method: methodOf(payment),
    amount_centavos: payment.amount_centavos,
    requestedAt: payment.createdAt,
  };
  return answerTo(operation, await open(simulator, operation, payment, approval));
}

/**
 * Books the payment, its operation and its expiry in one statement where nothing else is to be written, else in a
 * transaction.
 */
async function open(
  simulator: Simulator,
  operation: Operation,
  payment: Payment,
  approval: WireApproval,
): Promise<Reply> {
  const { account } = payment;
  const { authorize: act = APPROVE, followUps, notifiedTwice } = BEHAVIOURS[payment.behaviour];
  const usual = decide(act, null, approval);
  const settled = usual.booked && usual.booked.status !== 'pending';
  if (settled && !followUps && !notifiedTwice) {
    const ready = withState(payment, usual);
    const options = {
      isScripted: false,
      expiresAt: usual.booked.status === 'approved' ? ready.expiresAt : null,
    };
    if (await bookPayment(simulator.pool, operation, usual.booked, ready, options)) return usual;
  }
  const booked = await transaction(simulator.pool, async (tx, rollback) => {
    const scripted = await takeScriptStep(tx, { ...payment, account }, 'authorize');
    const decision = scripted ? decide(scripted, null, approval) : usual;
    const ready = withState(payment, decision);
    const isNew = decision.booked
      ? await bookPayment(tx, operation, decision.booked, ready, { isScripted: true, expiresAt: null })
      : await bookOperation(tx, operation, null);
    if (!isNew) rollback();
    await planAfter(tx, ready, decision, scripted ?? act);
    if (notifiedTwice && decision.booked?.status === 'approved') await tellTwice(tx, ready, operation);
    return decision;
  });
  if (booked && notifiedTwice) await simulator.outbox.sendDue(account);
  return booked ?? repeat(simulator.pool, operation);
}

const APPROVE: Act = { outcome: 'approve' };

function blank({ account, reference, requestedAt, amount_centavos, customer }: Opening) {
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
    expiresAt: null,
    endToEndId: null,
    chargeback: 'none' as const,
    createdAt: requestedAt,
  };
}

function withState(payment: Payment, { booked }: Decision): Payment {
  if (booked?.status !== 'approved') return { ...payment, state: booked?.status ?? 'refused' };
  if (payment.method === 'pix') return { ...payment, state: 'open' };
  const state: PaymentState = payment.capture ? 'captured' : 'authorized';
  return { ...payment, state, captured_centavos: payment.capture ? payment.amount_centavos : 0 };
}

/** What follows by itself: the late answer, the charge's expiry, and what the behaviour brings. */
async function planAfter(tx: Tx, payment: Payment, { booked }: Decision, act: Act): Promise<void> {
  const { account, reference, createdAt } = payment;
  if (booked?.status === 'pending') {
    await plan(tx, account, {
      happening: 'settled',
      dueAt: new Date(createdAt.getTime() + (act.late_ms ?? 0)),
      reason: act.outcome,
      paymentReference: reference,
      operationReference: reference,
    });
  }
  if (booked?.status !== 'approved') return;
  await planFollowUps(tx, payment, 'accepted', createdAt);
  if (payment.state === 'captured') await planFollowUps(tx, payment, 'paid', createdAt);
  if (payment.expiresAt) await planForPayment(tx, payment, 'expired', payment.expiresAt);
}

/** Tells a card's approval by notification too; a Pix charge is told twice when it is paid. */
async function tellTwice(tx: Tx, payment: Payment, operation: Operation): Promise<void> {
  if (payment.method !== 'card') return;
  const type: NotificationType = 'authorization.approved';
  const { account, reference, method, amount_centavos, requestedAt } = operation;
  await notify(tx, { account, reference, type, method, occurredAt: requestedAt, amount_centavos }, 2);
}
