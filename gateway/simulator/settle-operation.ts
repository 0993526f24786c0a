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

/** A payment that a transaction has locked and changes, at a time of the account. */
export interface LockedPayment {
  readonly tx: Tx;
  readonly payment: Payment;
  readonly at: Date;
}

/**
 * Settles an operation that was answered `pending`, and notifies its outcome. Returns the notification's id, or null
 * when the operation is not pending.
 */
export async function settleOperation(
  locked: LockedPayment,
  reference: string,
  wanted: 'approve' | CardRefusalCode,
): Promise<string | null> {
  const { tx, payment, at } = locked;
  const operation = await readOperation(tx, payment.account, reference);
  if (operation?.outcome?.status !== 'pending') return null;
  const isCreation = operation.paymentReference === null;
  const refusal = await applySettlement(locked, operation, wanted);
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
 * What the settlement file lists of a refund that has its result. A dispute is about what is left without the refunds
 * that were requested before. If one is denied, the dispute is about its amount too.
 */
function settledBy({ chargeback }: Payment, refusal: PaymentRefusal | null): SettlementType | null {
  if (refusal === null) return 'refund';
  return chargeback === 'none' || chargeback === 'won' ? null : 'dispute';
}

/** Changes the payment, and returns why the operation is refused, or null. */
async function applySettlement(
  locked: LockedPayment,
  operation: StoredOperation,
  wanted: 'approve' | CardRefusalCode,
): Promise<PaymentRefusal | null> {
  const refusal = wanted === 'approve' ? null : cardRefusal(wanted);
  if (operation.paymentReference === null) return settleCreation(locked, refusal);
  const kind = operation.kind as ModificationKind;
  const amount_centavos = operation.amount_centavos ?? 0;
  return settleModification(locked, { kind, amount_centavos, wanted: refusal });
}

async function settleCreation(
  locked: LockedPayment,
  refusal: PaymentRefusal | null,
): Promise<PaymentRefusal | null> {
  const { tx, payment, at } = locked;
  if (refusal) {
    await changePayment(tx, payment, { state: 'refused' });
    return refusal;
  }
  const state = approvedState(payment);
  if (state === 'captured') await capture(locked, payment.amount_centavos);
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
}

async function settleModification(
  locked: LockedPayment,
  { kind, amount_centavos, wanted }: SettledModification,
): Promise<PaymentRefusal | null> {
  const { tx, payment, at } = locked;
  if (kind === 'refund') {
    // The refund has reserved the amount since it was requested. A refusal releases it.
    if (wanted) {
      await changePayment(tx, payment, { refunded_centavos: payment.refunded_centavos - amount_centavos });
    }
    return wanted;
  }
  const refusal = refusalByPayment(kind, payment, amount_centavos, at) ?? wanted;
  if (!refusal) await applyModification(locked, kind, amount_centavos);
  return refusal;
}

/** Changes the payment as the approved operation says. */
export async function applyModification(
  locked: LockedPayment,
  kind: ModificationKind,
  amount_centavos: number,
): Promise<void> {
  if (kind === 'capture') return capture(locked, amount_centavos);
  const { tx, payment, at } = locked;
  const change = changeBy(kind, payment, amount_centavos);
  const hasEnded = change.state === 'voided' && payment.state !== 'voided';
  await changePayment(tx, payment, { ...change, endedAt: hasEnded ? at : payment.endedAt });
  if (kind === 'cancel' || kind === 'cancel_mandate') await deleteScheduledEvents(tx, payment);
}

/** Takes the money: by a capture, or because the buyer paid a charge. */
export async function capture(
  { tx, payment, at }: LockedPayment,
  captured_centavos: number,
  endToEndId: string | null = null,
): Promise<void> {
  await changePayment(tx, payment, { state: 'captured', captured_centavos, capturedAt: at, endToEndId });
  await deleteScheduledEvents(tx, payment);
  await scheduleFollowUps(tx, payment, 'paid', at);
}
