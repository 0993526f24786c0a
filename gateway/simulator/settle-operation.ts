import type { SettlementType } from '../../domain/ledger/settlement.ts';
import {
  type CardRefusalCode,
  cardRefusal,
  type PaymentRefusal,
} from '../../domain/payments/refusal-reasons.ts';
import type { NotificationType } from '../acquirer.ts';
import type { WireOutcome } from '../wire.ts';
import type { Tx } from './database.ts';
import { creationOf, SIMULATED_METHODS } from './methods/index.ts';
import { notify } from './notifications.ts';
import { changeBy, type ModificationKind, refusalByPayment } from './operation-rules.ts';
import { readOperation, type StoredOperation, writeOutcome } from './operations.ts';
import { changePayment, type Payment, type PaymentState } from './payments.ts';
import { newReference } from './random.ts';
import { deleteScheduledEvents, scheduleFollowUps } from './scheduled-events.ts';
import { addSettlement } from './settlements.ts';

/**
 * Settles an operation that was answered `pending`, at `at` (account's time), and notifies its outcome. The payment is
 * locked. Returns the notification's id, or null when the operation is not pending.
 */
export async function settleOperation(
  tx: Tx,
  payment: Payment,
  reference: string,
  wanted: 'approve' | CardRefusalCode,
  at: Date,
): Promise<string | null> {
  const operation = await readOperation(tx, payment.account, reference);
  if (operation?.outcome?.status !== 'pending') return null;
  const isCreation = operation.paymentReference === null;
  const refusal = await applySettlement(tx, payment, operation, wanted, at);
  const outcome: WireOutcome = refusal
    ? { status: 'refused', refusal }
    : {
        status: 'approved',
        acquirer_reference: operation.outcome.acquirer_reference ?? newReference(),
        ...(isCreation && creationOf(payment.method, operation.kind).approval(payment)),
      };
  await writeOutcome(tx, payment.account, reference, outcome);
  const type = operation.kind === 'refund' ? settledBy(payment, refusal) : null;
  if (type !== null) {
    const { account } = payment;
    const amount_centavos = operation.amount_centavos ?? 0;
    await addSettlement(tx, { account, reference, type, amount_centavos, occurredAt: at });
  }
  return notify(tx, {
    account: payment.account,
    reference,
    type: `${operation.kind}.${outcome.status}` as NotificationType,
    method: payment.method,
    occurredAt: at,
    refusal,
    amount_centavos: operation.amount_centavos ?? payment.amount_centavos,
  });
}

/**
 * What the settlement file lists of a refund that has its result. A dispute is about what is left without the refunds that
 * were requested before. If one is denied, the dispute is about its amount too.
 */
function settledBy({ chargeback }: Payment, refusal: PaymentRefusal | null): SettlementType | null {
  if (refusal === null) return 'refund';
  return chargeback === 'none' || chargeback === 'won' ? null : 'dispute';
}

/** Changes the payment, and returns why the operation is refused, or null. */
async function applySettlement(
  tx: Tx,
  payment: Payment,
  operation: StoredOperation,
  wanted: 'approve' | CardRefusalCode,
  at: Date,
): Promise<PaymentRefusal | null> {
  const refusal = wanted === 'approve' ? null : cardRefusal(wanted);
  if (operation.paymentReference === null) return settleCreation(tx, payment, refusal, at);
  const kind = operation.kind as ModificationKind;
  const amount_centavos = operation.amount_centavos ?? 0;
  return settleModification(tx, payment, { kind, amount_centavos, wanted: refusal, at });
}

async function settleCreation(
  tx: Tx,
  payment: Payment,
  refusal: PaymentRefusal | null,
  at: Date,
): Promise<PaymentRefusal | null> {
  if (refusal) {
    await changePayment(tx, payment, { state: 'refused' });
    return refusal;
  }
  const state = approvedState(payment);
  if (state === 'captured') await capture(tx, payment, payment.amount_centavos, at);
  else await changePayment(tx, payment, { state });
  await scheduleFollowUps(tx, payment, 'accepted', at);
  return null;
}

/** The state of a payment whose creation is approved. */
export function approvedState({ method, capture }: Payment): PaymentState {
  if (SIMULATED_METHODS[method].type !== 'authorization') return 'open';
  return capture ? 'captured' : 'authorized';
}

interface SettledModification {
  readonly kind: ModificationKind;
  readonly amount_centavos: number;
  /** The refusal that the request chose; null: an approval. */
  readonly wanted: PaymentRefusal | null;
  readonly at: Date;
}

async function settleModification(
  tx: Tx,
  payment: Payment,
  { kind, amount_centavos, wanted, at }: SettledModification,
): Promise<PaymentRefusal | null> {
  if (kind === 'refund') {
    // The refund has reserved the amount since it was requested. A refusal releases it.
    if (wanted) {
      await changePayment(tx, payment, { refunded_centavos: payment.refunded_centavos - amount_centavos });
    }
    return wanted;
  }
  const refusal = refusalByPayment(kind, payment, amount_centavos, at) ?? wanted;
  if (!refusal) await applyModification(tx, payment, kind, amount_centavos, at);
  return refusal;
}

/** Changes the payment as the approved operation says. */
export async function applyModification(
  tx: Tx,
  payment: Payment,
  kind: ModificationKind,
  amount_centavos: number,
  at: Date,
): Promise<void> {
  if (kind === 'capture') return capture(tx, payment, amount_centavos, at);
  const endedAt = kind === 'cancel' ? at : payment.endedAt;
  await changePayment(tx, payment, { ...changeBy(kind, payment, amount_centavos), endedAt });
  if (kind === 'cancel' || kind === 'cancel_mandate') await deleteScheduledEvents(tx, payment);
}

/** Takes the money: by a capture, or because the buyer paid a charge. */
export async function capture(
  tx: Tx,
  payment: Payment,
  captured_centavos: number,
  at: Date,
  endToEndId: string | null = null,
): Promise<void> {
  await changePayment(tx, payment, { state: 'captured', captured_centavos, capturedAt: at, endToEndId });
  await deleteScheduledEvents(tx, payment);
  await scheduleFollowUps(tx, payment, 'paid', at);
}
