import { insertEvents } from '../../db/events/insert-events.ts';
import { deleteWalletCredential } from '../../db/payments/methods/wallet-credentials.ts';
import { moveInvoiceRow, openInvoice } from '../../db/subscriptions/invoices.ts';
import { moveSubscriptionRow } from '../../db/subscriptions/move-subscription-row.ts';
import { findPayments } from '../../db/subscriptions/subscription-payments.ts';
import { insertSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import { timeOfChange } from '../../domain/instants.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Billing } from '../../domain/subscriptions/billing.ts';
import type { BillingChange } from '../../domain/subscriptions/engine/change.ts';
import { openedInvoice } from '../../domain/subscriptions/engine/opened-invoice.ts';
import { invoiceMachine } from '../../domain/subscriptions/invoice-moves.ts';
import type {
  PendingMandate,
  PendingUpgrade,
  Subscription,
  SubscriptionPayer,
} from '../../domain/subscriptions/subscription.ts';
import {
  type SubscriptionEvent,
  subscriptionMachine,
} from '../../domain/subscriptions/subscription-moves.ts';
import { isClosed, isFinished } from '../../domain/subscriptions/subscription-status.ts';
import type { TransactionContext } from '../deps.ts';
import { cancelUnusedMandates } from './cancel-unused-mandates.ts';
import { movePlaceAtLink } from './places-at-links.ts';
import { shownPaymentId, shownSubscription } from './shown-subscription.ts';

/** What a change of a subscription is written with. */
export interface ChangeDetails {
  /** Merchant's time. */
  readonly at: Date;
  /** The latest payment, if it is new or was changed. */
  readonly payment?: Payment | null;
  readonly cancellationReason?: string | null;
  /** The means of payment from now on. */
  readonly means?: Pick<Subscription, 'cardId' | 'walletCredentialId'>;
  /** What the subscription stores of its payer from now on (`storedPayer`). */
  readonly payer?: SubscriptionPayer | null;
  /** The mandate that is charged from now on. */
  readonly mandateId?: string;
  /** An upgrade that begins, or null for one that has its outcome. */
  readonly pendingUpgrade?: PendingUpgrade | null;
  /** A change to Pix recurring that begins, or null for one that has its outcome. */
  readonly pendingMandate?: PendingMandate | null;
  /** Writes what the change does to its payments. Runs before the events, which show the payment as it is then. */
  readonly writePayments?: () => Promise<unknown>;
}

/**
 * Writes a change of a subscription that the caller has locked, with its invoices and its events, and returns the
 * subscription after it. Status, billing and invoices change here only. The caller writes the payment of the change:
 * after this call if it is new, because payments refer to invoices, or in `writePayments`.
 */
export async function moveSubscription(
  context: TransactionContext,
  before: Subscription,
  change: BillingChange,
  details: ChangeDetails,
): Promise<Subscription> {
  assertAllowed(before, change);
  const at = timeOfChange(details.at, before.updatedAt);
  const after = changed(before, change.billing, { ...details, at });
  // Sent together.
  const [isWritten] = await Promise.all([
    moveSubscriptionRow(context.tx, context.merchant, { before, after }),
    writeInvoices(context, after, change, at),
  ]);
  if (!isWritten) throw new Error(`The subscription ${before.id} was changed without its lock.`);
  const { walletCredentialId: old } = before;
  if (old !== null && old !== after.walletCredentialId) {
    await deleteWalletCredential(context.tx, context.merchant, old);
  }
  await cancelUnusedMandates(context, before, after, at);
  await movePlaceAtLink(context, before, change);
  if (details.writePayments) await details.writePayments();
  if (change.moves.length === 0) return after;
  const payment = await shownPayment(context, after, details);
  await insertEvents(context.tx, context.merchant, eventsOfMoves(context, after, change, { at, payment }));
  return after;
}

/** The payment that a GET shows after the change. */
async function shownPayment(
  { tx, merchant }: TransactionContext,
  after: Subscription,
  { payment, writePayments }: ChangeDetails,
): Promise<Payment | null> {
  const id = shownPaymentId(after);
  if (id === null) return null;
  if (id === payment?.id && !writePayments) return payment;
  return (await findPayments(tx, merchant, [id])).get(id) ?? null;
}

/**
 * Writes a new subscription, with its first invoice and its events. `created.billing` is the state before `change`.
 * Returns undefined, with nothing written, if the merchant has used its code before.
 */
export async function addSubscription(
  context: TransactionContext,
  created: Subscription,
  change: BillingChange,
  payment: Payment | null,
): Promise<Subscription | undefined> {
  const { tx, merchant } = context;
  assertAllowed(created, change);
  const at = created.createdAt;
  const after = changed(created, change.billing, { at, payment });
  if (!(await insertSubscription(tx, merchant, after))) return undefined;
  await writeInvoices(context, after, change, at);
  const first = eventOf(context, 'subscription.created', after, { at, payment });
  await insertEvents(tx, merchant, [first, ...eventsOfMoves(context, after, change, { at, payment })]);
  return after;
}

/** Throws if the table of moves does not allow the change. */
function assertAllowed({ id, billing }: Subscription, change: BillingChange): void {
  let { status } = billing;
  for (const { move, by, status: to } of change.moves)
    status = subscriptionMachine.next(move, status, { by, to });
  if (status === change.billing.status) return;
  throw new Error(`The moves of subscription ${id} end at ${status}, not ${change.billing.status}.`);
}

function changed(before: Subscription, billing: Billing, details: ChangeDetails): Subscription {
  const { at, payment, cancellationReason, means, mandateId, pendingUpgrade, pendingMandate } = details;
  const isCanceledNow = billing.endsAt !== null && before.billing.endsAt === null;
  const isReactivated = billing.endsAt === null && before.billing.endsAt !== null;
  const { walletCredentialId } = means ?? before;
  return {
    ...before,
    billing,
    ...means,
    walletCredentialId: isFinished(billing.status) ? null : walletCredentialId,
    payer: isFinished(billing.status) ? null : orElse(details.payer, before.payer),
    mandateId: billing.mandate === null ? null : (mandateId ?? before.mandateId),
    pendingUpgrade: orElse(pendingUpgrade, before.pendingUpgrade),
    pendingMandate: isClosed(billing.status) ? null : orElse(pendingMandate, before.pendingMandate),
    latestPaymentId: payment?.id ?? before.latestPaymentId,
    canceledAt: isReactivated ? null : isCanceledNow ? at : before.canceledAt,
    cancellationReason: isReactivated ? null : (cancellationReason ?? before.cancellationReason),
    endedAt: isFinished(billing.status) ? (before.endedAt ?? at) : null,
    updatedAt: at,
  };
}

function orElse<T>(changed: T | undefined, before: T): T {
  return changed === undefined ? before : changed;
}

async function writeInvoices(
  context: TransactionContext,
  { id: subscriptionId, billing }: Subscription,
  { invoices }: BillingChange,
  at: Date,
): Promise<void> {
  const { deps, tx, merchant } = context;
  for (const { cycle, move, by } of invoices) {
    const rowMove = invoiceMachine.rowMove(move === 'open' ? 'reopen' : move, by);
    const isWritten =
      move === 'open'
        ? await openInvoice(tx, merchant, {
            ...openedInvoice(billing, cycle),
            subscriptionId,
            id: uuidV7(at.getTime(), deps.random),
            createdAt: at,
            move: rowMove,
          })
        : await moveInvoiceRow(tx, merchant, { subscriptionId, cycle, ...rowMove, at });
    if (!isWritten) throw new Error(`Cycle ${cycle} of subscription ${subscriptionId} cannot ${move}.`);
  }
}

interface EventDetails {
  readonly at: Date;
  /** The latest payment of the subscription; null if there is none. */
  readonly payment: Payment | null;
}

/**
 * The events of the moves. Each shows the subscription after all of them, as a GET does: no GET shows a state in
 * between, and a merchant who gets the events in another order reads the same.
 */
function eventsOfMoves(
  context: TransactionContext,
  after: Subscription,
  { moves }: BillingChange,
  details: EventDetails,
): EventRecord[] {
  return moves.flatMap(({ move }) =>
    subscriptionMachine.moves[move].events.map((event) => eventOf(context, event, after, details)),
  );
}

function eventOf(
  { deps, merchant }: TransactionContext,
  event: SubscriptionEvent,
  subscription: Subscription,
  { at, payment }: EventDetails,
): EventRecord {
  return {
    id: uuidV7(at.getTime(), deps.random),
    event,
    objectType: 'subscription',
    objectId: subscription.id,
    paymentId: null,
    data: deps.present.subscription(deps, shownSubscription(merchant, subscription, payment)),
    createdAt: at,
  };
}
