import { insertNotification } from '../db/acquirer-notifications.ts';
import type { Tx } from '../db/database.ts';
import { findMerchant } from '../db/merchants.ts';
import { findOperationByReference, type PaymentOperation } from '../db/payment-operations.ts';
import { lockPayment, type PaymentPatch } from '../db/payments.ts';
import { slotOfHash } from '../domain/identifiers.ts';
import type { Merchant } from '../domain/merchant.ts';
import { type Payment, type PaymentStatus, settledStatus } from '../domain/payment.ts';
import { mayMove, type PaymentMove } from '../domain/payment-transitions.ts';
import { cardRefusal, type PaymentRefusal } from '../domain/refusal-reasons.ts';
import type { AcquirerNotification, NotificationType } from '../gateway/acquirer.ts';
import { recordClockStep } from './clock-steps.ts';
import { type Deps, now } from './deps.ts';
import { movePayment } from './move-payment.ts';
import { type FinalOutcome, refusalPatch, settleOperation } from './settle-operation.ts';

export type { AcquirerNotification as ReceivedNotification };

/**
 * applied: it changed something. known: it, or what it tells, was here before. early: what it builds on has not
 * arrived yet, so it must come again. unknown: no operation of ours has its reference.
 */
export type Applied = 'applied' | 'known' | 'early' | 'unknown';

/** Applies what the acquirer told us unasked: once, in whatever order and however often it arrives. */
export async function applyNotification(deps: Deps, notification: AcquirerNotification): Promise<Applied> {
  const slot = slotOfHash(notification.reference);
  const found =
    slot === null ? undefined : await findOperationByReference(deps.db, slot, notification.reference);
  if (found === undefined) return 'unknown';
  if (found.scope.merchantId !== notification.account) return 'unknown';
  const merchant = await findMerchant(deps.db, found.scope);
  if (merchant === undefined) return 'unknown';
  const result = await resultOf(deps, found.operation, notification);
  return deps.db
    .transaction(merchant, (tx) => applyOnce(deps, tx, merchant, found.operation, notification, result))
    .catch((error: unknown) => {
      if (error instanceof Early) return 'early' as const;
      throw error;
    });
}

/**
 * What a notification tells of an operation that is open; undefined for what happens to a payment later. An
 * authorization's code is not in its notification: the acquirer is asked for it, before any row is locked.
 */
async function resultOf(
  deps: Deps,
  operation: PaymentOperation,
  { type, refusal, reference, account }: AcquirerNotification,
): Promise<FinalOutcome | undefined> {
  if (!settlesOperation(type, operation)) return undefined;
  if (!type.endsWith('.approved')) {
    return { kind: 'refused', refusal: refusal ?? cardRefusal('processing_error') };
  }
  if (operation.kind !== 'authorize') return { kind: 'approved' };
  const whole = await deps.acquirer.inquire({ reference, account, seal: false });
  return whole.kind === 'approved' ? whole : { kind: 'approved' };
}

/** Thrown inside the transaction, so that the notification is not remembered as applied. */
class Early extends Error {}

async function applyOnce(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  operation: PaymentOperation,
  notification: AcquirerNotification,
  result: FinalOutcome | undefined,
): Promise<Applied> {
  const { id, type, reference } = notification;
  // First, as everybody who writes of a payment does: a reset of the sandbox relies on it.
  const payment = await lockPayment(tx, merchant, operation.paymentId);
  if (payment === undefined) return 'unknown';
  const isNew = await insertNotification(tx, merchant, { id, type, reference, receivedAt: deps.wall() });
  if (!isNew) return 'known';
  if (result !== undefined) {
    await settleOperation(deps, tx, merchant, operation, result);
    await recordNews(deps, tx, merchant, payment, type);
    return 'applied';
  }
  return applyChange(deps, tx, merchant, payment, notification);
}

const OPERATION_OF: Readonly<Record<string, PaymentOperation['kind']>> = {
  authorization: 'authorize',
  capture: 'capture',
  cancel: 'cancel',
  refund: 'refund',
};

/** The result of an operation that is open, as opposed to something that happens to the payment later. */
function settlesOperation(type: NotificationType, operation: PaymentOperation): boolean {
  const [subject = '', result = ''] = type.split('.');
  const isResult = result === 'approved' || result === 'refused';
  return isResult && OPERATION_OF[subject] === operation.kind && operation.state === 'pending';
}

interface Change {
  readonly move: PaymentMove;
  readonly to?: PaymentStatus;
  readonly patch?: PaymentPatch;
}

async function applyChange(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  payment: Payment,
  notification: AcquirerNotification,
): Promise<Applied> {
  const change = changeOf(payment, notification);
  if (change === undefined) return 'known';
  if (!mayMove(change.move, payment.status, change.to)) {
    if (isEarly(payment, notification.type)) throw new Early();
    reportStrayMoney(deps, merchant, payment, notification);
    return 'known';
  }
  await movePayment(deps, tx, merchant, payment, change.move, { ...change, at: now(deps, merchant) });
  await recordNews(deps, tx, merchant, payment, notification.type);
  return 'applied';
}

/** Paid after it was canceled or refused: the buyer is to have it back, and only a person can see to that. */
function reportStrayMoney(
  deps: Deps,
  { merchantId }: Merchant,
  { id, status, captured_centavos }: Payment,
  notification: AcquirerNotification,
): void {
  if (notification.type !== 'pix.paid' || captured_centavos > 0) return;
  const fields = { notification_id: notification.id, payment_id: id, merchant_id: merchantId, status };
  deps.log.error(fields, 'a payment that is over was paid');
}

/** In an advance of the sandbox's clock, the acquirer's news is one of the steps that ran. */
function recordNews(deps: Deps, tx: Tx, merchant: Merchant, payment: Payment, type: NotificationType) {
  const step = `acquirer_${type.replace('.', '_')}`;
  return recordClockStep(deps, tx, merchant, { step, objectId: payment.id });
}

/** Nothing but an open intent, or a dispute's news before the dispute: what comes first is still on its way. */
function isEarly(payment: Payment, type: NotificationType): boolean {
  if (payment.status === 'processing' || payment.status === 'scheduled') return true;
  const isDispute = type === 'chargeback.dispute' || type === 'chargeback.won' || type === 'chargeback.lost';
  return isDispute && !payment.history.some((step) => step.status === 'chargeback_requested');
}

function changeOf(payment: Payment, notification: AcquirerNotification): Change | undefined {
  const refusal = cardRefusal(notification.refusal?.code ?? 'processing_error');
  switch (notification.type) {
    case 'pix.paid':
      refuseOtherAmount(payment, notification);
      return {
        move: 'settle',
        patch: {
          captured_centavos: payment.amount_centavos,
          pix_end_to_end_id: notification.endToEndId,
          due_at: null,
        },
      };
    case 'pix.refused':
    case 'authorization.refused':
      return { move: 'refuse', patch: refusalPatch(refusal) };
    case 'pix.expired':
      return { move: 'expire', patch: { due_at: null } };
    case 'authorization.fraud_detected':
      return { move: 'suspect_fraud', patch: refusalPatch(fraud(notification.refusal)) };
    case 'cancel.approved':
      return { move: 'cancel', patch: { due_at: null } };
    case 'chargeback.requested':
      return { move: 'request_chargeback' };
    case 'chargeback.dispute':
      return { move: 'dispute_chargeback' };
    case 'chargeback.won':
      return { move: 'win_chargeback', to: settledStatus(payment) };
    case 'chargeback.lost':
      return { move: 'lose_chargeback' };
    default:
      // The result of an operation that was settled before: there is nothing left to do.
      return undefined;
  }
}

/** A payment is paid by its amount only. Another one is for a person to look into: logged, told again, never taken. */
function refuseOtherAmount(payment: Payment, { id, amount_centavos }: AcquirerNotification): void {
  if (amount_centavos === null || amount_centavos === payment.amount_centavos) return;
  throw new Error(`The notification ${id} tells another amount than that of the payment ${payment.id}.`);
}

function fraud(refusal: PaymentRefusal | null): PaymentRefusal {
  return refusal?.code === 'fraud' ? refusal : cardRefusal('fraud');
}
