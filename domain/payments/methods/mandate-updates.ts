import { mayMove, type PaymentMove } from '../payment-moves.ts';
import type { PaymentStateRecord } from '../payment-state.ts';
import { hasMandate, type WithMethod } from './index.ts';
import type { PixRecurringDetails } from './pix-recurring.ts';

/** What the acquirer reports about a mandate of Pix Automático. */
export interface MandateNotice {
  /** The id of the mandate in Pix (idRec); null if the report does not name it. */
  readonly chargeCode: string | null;
  /** Why it was canceled; null for any other report. */
  readonly cancellationCode: string | null;
}

/** The part of a payment that decides what a report about its mandate changes. */
type MandatePayment = WithMethod & PaymentStateRecord;

/** The changes of a mandate that the acquirer reports. */
const MANDATE_UPDATES = ['mandate_authorized', 'mandate_rejected', 'mandate_canceled'] as const;
export type MandateUpdate = (typeof MANDATE_UPDATES)[number];

export function isMandateUpdate(update: string): update is MandateUpdate {
  return (MANDATE_UPDATES as readonly string[]).includes(update);
}

/** The data of a payment with a mandate; undefined for any other payment. */
export function recurringDetails(payment: WithMethod): PixRecurringDetails | undefined {
  return hasMandate(payment) ? payment.details : undefined;
}

/**
 * When a mandate changes, the payment that requested it makes this move. With `add_details` and `add_data` it keeps its
 * status: a first charge is settled when it is paid, not when the mandate is authorized, and its events follow then
 * (contract row 13.27). A payment that has ended does not change with its mandate. A mandate that is authorized after
 * its payment has expired is canceled at the acquirer.
 */
export function moveOfMandateUpdate(update: MandateUpdate, payment: MandatePayment): PaymentMove {
  switch (update) {
    case 'mandate_authorized':
      if (recurringDetails(payment)?.role === 'authorization' && !isOver(payment) && !isAuthorized(payment))
        return 'authorize_mandate';
      return isWaitingForPayer(payment) ? 'add_details' : 'add_data';
    case 'mandate_rejected':
      return 'refuse';
    case 'mandate_canceled':
      return isWaitingForPayer(payment) && mayMove(payment, 'cancel') ? 'cancel' : 'add_details';
  }
}

/** Whether the payer was too late. */
function isOver({ status }: MandatePayment): boolean {
  return status === 'expired' || status === 'canceled';
}

/** Whether the payment has the status of an authorized mandate, though the mandate's id may still be missing. */
function isAuthorized({ status }: MandatePayment): boolean {
  return status === 'AUTHORIZED';
}

function isWaitingForPayer({ status }: MandatePayment): boolean {
  return status === 'scheduled' || status === 'waiting_payment' || status === 'processing';
}

/**
 * Whether the payer has ended a mandate whose authorization, or the payment that authorized it, is still to be
 * reported. Only a mandate that was authorized has its id.
 */
export function isEndBeforeAuthorization(
  update: MandateUpdate,
  notice: MandateNotice | undefined,
  payment: MandatePayment,
): boolean {
  const wasAuthorized = (notice?.chargeCode ?? null) !== null;
  return update === 'mandate_canceled' && wasAuthorized && isWaitingForPayer(payment);
}

/** Whether the report of a mandate changes nothing, because it was reported before or a later one arrived first. */
export function isMandateUpdateKnown(update: MandateUpdate, payment: MandatePayment): boolean {
  switch (update) {
    case 'mandate_authorized':
      return recurringDetails(payment)?.chargeCode != null;
    case 'mandate_rejected':
      // A mandate that expired by our clock may have been rejected at the acquirer before.
      return payment.status === 'refused' || payment.status === 'expired';
    case 'mandate_canceled':
      return false;
  }
}
