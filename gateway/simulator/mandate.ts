import { merchantDay } from '../../domain/local-time.ts';
import { mandateRejection } from '../../domain/payments/pix-automatico-reasons.ts';
import type { NotificationType } from '../acquirer.ts';
import type { WireMandate } from '../wire.ts';
import type { Tx } from './database.ts';
import type { Mandate } from './mandate-state.ts';
import { SIMULATED_METHODS } from './methods/index.ts';
import { notify } from './notifications.ts';
import { changePayment, lockOpenCharges, type Payment } from './payments.ts';
import { deleteScheduledEvents } from './scheduled-events.ts';
import { capture } from './settle-operation.ts';

/** What a payer does with a mandate. `reason` is a code of Pix Automático. */
interface PayerDecision {
  readonly reason: string | null;
  /** Account's time. */
  readonly at: Date;
}

/** The ids of the notifications, or a sentence that says why it is not possible. */
type Result = { readonly notified: string[] } | { readonly why: string };

/** Payment and mandate of a request for a mandate. */
type Requested = Payment & { readonly mandate: Mandate };

const DEFAULT_REJECTION = 'AP13';
const DEFAULT_CANCELLATION = 'SLDB';

/** The payer authorizes the mandate by the QR code, and pays the first charge with it if there is one. */
export async function authorizeMandate(tx: Tx, payment: Payment, { at }: PayerDecision): Promise<Result> {
  const requested = waitingMandate(payment);
  if ('why' in requested) return requested;
  if (payment.expiresAt !== null && at >= payment.expiresAt) return { why: 'The QR code has expired.' };
  const authorized: Requested = { ...requested, mandate: { ...requested.mandate, state: 'authorized' } };
  const authorization = await notify(tx, report(authorized, 'mandate.authorized', at));
  if (payment.amount_centavos === 0) {
    await changePayment(tx, authorized, { state: 'authorized', endedAt: at });
    await deleteScheduledEvents(tx, authorized);
    return { notified: [authorization] };
  }
  const { notifications, endToEndId: newEndToEndId } = chargedMethod(authorized);
  const endToEndId = newEndToEndId?.(at) ?? null;
  await capture({ tx, payment: authorized, at }, payment.amount_centavos, endToEndId);
  const paid = await notify(tx, { ...report(authorized, notifications.paid, at), endToEndId });
  return { notified: [authorization, paid] };
}

/** The payer, or the payer's bank, does not accept the mandate. */
export async function rejectMandate(tx: Tx, payment: Payment, decision: PayerDecision): Promise<Result> {
  const requested = waitingMandate(payment);
  if ('why' in requested) return requested;
  const refusal = mandateRejection(decision.reason ?? DEFAULT_REJECTION);
  await changePayment(tx, requested, {
    state: 'refused',
    mandate: { ...requested.mandate, state: 'rejected' },
    refusal,
    endedAt: decision.at,
  });
  await deleteScheduledEvents(tx, requested);
  return { notified: [await notify(tx, { ...report(requested, 'mandate.rejected', decision.at), refusal })] };
}

/**
 * The payer ends the mandate at the bank. Charges that are due on a later day are canceled with it; one that is due
 * today is still paid.
 */
export async function cancelMandateByPayer(
  tx: Tx,
  payment: Payment,
  { reason, at }: PayerDecision,
): Promise<Result> {
  const { mandate, account, reference } = payment;
  if (mandate === null) return { why: 'The payment did not ask for a mandate.' };
  if (mandate.state !== 'authorized') return { why: `The mandate is ${mandate.state}.` };
  await changePayment(tx, payment, { mandate: { ...mandate, state: 'canceled' } });
  const cancellation_code = reason ?? DEFAULT_CANCELLATION;
  const canceled = report({ ...payment, mandate }, 'mandate.canceled', at);
  const notified = [await notify(tx, { ...canceled, mandate: { ...canceled.mandate, cancellation_code } })];
  for (const charge of await lockOpenCharges(tx, account, reference)) {
    if (charge.dueDate! <= merchantDay(at)) continue;
    await changePayment(tx, charge, { state: 'voided', endedAt: at });
    await deleteScheduledEvents(tx, charge);
    const { method, amount_centavos } = charge;
    const type = 'cancel.approved' as const;
    notified.push(
      await notify(tx, {
        account,
        reference: charge.reference,
        type,
        method,
        occurredAt: at,
        amount_centavos,
        mandate: { charge_code: mandate.chargeCode, cancellation_code },
      }),
    );
  }
  return { notified };
}

/** A request whose payer has not decided yet. */
function waitingMandate(payment: Payment): Requested | { readonly why: string } {
  const { mandate } = payment;
  if (mandate === null) return { why: 'The payment did not ask for a mandate.' };
  if (payment.state !== 'open' || mandate.state !== 'created')
    return { why: `The mandate is ${mandate.state}.` };
  return { ...payment, mandate };
}

function chargedMethod({ method }: Requested) {
  const simulated = SIMULATED_METHODS[method];
  if (simulated.type === 'authorization') throw new Error(`No ${method} has a mandate.`);
  return simulated;
}

function report(
  { account, reference, method, amount_centavos, mandate }: Requested,
  type: NotificationType,
  occurredAt: Date,
) {
  const named: WireMandate = { charge_code: mandate.chargeCode };
  return { account, reference, type, method, occurredAt, amount_centavos, mandate: named };
}
