import { dayOf } from '../calendar.ts';
import type { Interval, PaidPeriod, Plan, Schedule } from './plan.ts';
import type { ModelShare } from './split.ts';

export type Method = 'credit_card' | 'browser_wallet' | 'bank_slip' | 'pix' | 'pix_recurring';

/** How the bank decides: `soft` may be retried, `hard` must not be. */
export type Decision = 'approve' | 'soft' | 'hard';

/**
 * What the service knows after it has sent a charge. It does not know the decision if the answer was lost, or the
 * process died. A decision of `not_sent`: the process died before it sent the charge, or another one was faster to
 * close its reference.
 */
export interface Reply {
  readonly isKnown: boolean;
  readonly decision: Decision | 'not_sent';
}

/**
 * Sends one charge of a subscription: to the bank of its card, or to the acquirer for a boleto or a Pix, which it
 * accepts.
 */
export type Send = (model: ModelSubscription) => Reply;

/** A card, with the decisions that a script gives for its next charges. */
export interface ModelCard {
  /** Null for the card in a wallet. */
  readonly id: string | null;
  readonly scripted: Decision[];
  /** The decision after the script. */
  readonly usual: Decision;
  /** The acquirer notifies its approvals before it answers. */
  readonly isNotified: boolean;
  /** The token of a wallet that was not charged yet. It can be charged once, and a refusal is final (row 13.24). */
  isToken: boolean;
}

/** A mandate of Pix Automático (rows 8.5 and 13.27). */
export interface ModelMandate {
  state: 'created' | 'authorized' | 'rejected' | 'ended';
  readonly qrExpiresAt: number;
  readonly interval: Interval;
  /** Every charge has this amount; null if the amount varies. */
  readonly fixed: number | null;
  /** No charge is lower; null if there is no minimum. */
  readonly minimum: number | null;
  readonly mayRetry: boolean;
  /** It begins with the cycle that is opened next after the authorization; null if the plan does not change. */
  readonly plan: Plan | null;
}

/** How a subscription is paid. */
export type Means =
  | { readonly method: 'credit_card' | 'browser_wallet'; readonly card: ModelCard }
  | { readonly method: 'bank_slip' | 'pix' }
  | { readonly method: 'pix_recurring'; readonly mandate: ModelMandate };

export type InvoiceStatus = 'open' | 'paid' | 'past_due' | 'uncollectible' | 'void';

export interface ModelInvoice {
  status: InvoiceStatus;
  readonly start: string;
  readonly end: string;
  readonly amount: number;
  readonly credit: number;
  readonly attempts: Attempt[];
}

/** A charge of a cycle. */
export interface Attempt {
  readonly method: Method;
  readonly dueOn: string;
  /** When a Pix expires whose merchant has chosen that; null: as its due date says. */
  readonly expiresAt: number | null;
  readonly amount: number;
  state: 'scheduled' | 'processing' | 'waiting' | 'refused' | 'expired' | 'canceled' | 'paid';
  /** What the bank has decided, or will decide on the due date; null if the customer pays. */
  decision: Decision | 'not_sent' | null;
  /** The means that it charges, if others have replaced them; else null. */
  replaced: Means | null;
}

/** The due date of a boleto or a Pix, and the instant at which it expires; null: after its due date. */
export interface FirstDue {
  readonly on: string;
  readonly expiresAt: number | null;
}

export interface OpenCycle {
  readonly cycle: number;
  readonly day: string;
  readonly plan: Plan;
  /** Whether its plan replaces the present one on its day, or when it is paid before. */
  beginsPlan: boolean;
  readonly invoice: ModelInvoice;
  /** The charge that is scheduled or under way. */
  attempt: Attempt | null;
  /** The charge that follows: the day and the instant from which it is made, and its due date. */
  next: { readonly on: string; readonly dueOn: string; readonly notBefore?: number } | null;
  /** Failed charges, without those that failed before its day. */
  failures: number;
  /** Boletos and Pix that failed before its day. */
  early: number;
  /** The latest charges that were never sent. */
  unsent: number;
  retriesFrom: string | null;
  giveUpOn: string | null;
}

/** An upgrade whose charge was sent. */
export interface Upgrade {
  readonly plan: Plan;
  readonly decision: Decision | 'not_sent';
  /** The latest paid cycle, whose price the charge raises. */
  readonly cycle: number;
  readonly amount: number;
  state: 'processing' | 'refused' | 'paid';
}

/**
 * A subscription as the contract describes it (section 8, rows 13.23 to 13.31). Days are merchant's days, times are in
 * ms.
 */
export interface ModelSubscription {
  /** The merchant's time. */
  now: number;
  status: string;
  means: Means;
  /** The mandate that was requested last; null if none was. */
  requestedMandate: ModelMandate | null;
  /** It replaces the means of payment when the payer authorizes it. */
  pendingMandate: ModelMandate | null;
  plan: Plan;
  /** It replaces the plan with the cycle that is opened next. */
  pendingPlan: Plan | null;
  /** It replaces the plan if its charge, whose outcome the service does not know, was approved. */
  pendingUpgrade: Upgrade | null;
  /** All that were charged, oldest first. */
  readonly upgrades: Upgrade[];
  schedule: Schedule;
  /** Whether the merchant has chosen the day of the month of the charges. */
  readonly hasChosenDay: boolean;
  readonly trialDays: number;
  /** How every charge is shared. */
  split: readonly ModelShare[];
  /** Of the charge of a cycle to a card. */
  installments: number;
  paidCycles: number;
  paidPeriod: PaidPeriod | null;
  open: OpenCycle | null;
  credit: number;
  lastAttemptOn: string | null;
  /** The latest day that a charge by a mandate has taken, or may have. */
  lastMandateDueOn: string | null;
  endsAt: number | null;
  /** How the payer's bank decides about the next charges by a mandate. */
  scripted: Decision[];
  readonly invoices: Map<number, ModelInvoice>;
  /** `day name status` */
  readonly events: string[];
}

export const OVERDUE = ['payment_refused', 'past_due', 'unpaid'];
export const PAID_UP = ['active', 'payment_approved'];
const FINISHED = ['ended', 'completed'];

export function isFinished({ status }: ModelSubscription): boolean {
  return FINISHED.includes(status);
}

export function isOverdue({ status }: ModelSubscription): boolean {
  return OVERDUE.includes(status);
}

/** Whether the service does not know the outcome of a charge. */
export function isUnsettled({ open }: ModelSubscription): boolean {
  return open?.attempt?.state === 'processing';
}

/** Whether a subscription waits for its payer to authorize the mandate. */
export function waitsForMandate({ status, means }: ModelSubscription): boolean {
  return (
    status === 'payment_pending' && means.method === 'pix_recurring' && means.mandate.state !== 'authorized'
  );
}

/** Sets the status, and emits events with it. */
export function become(model: ModelSubscription, status: string, ...events: string[]): void {
  model.status = status;
  for (const event of events) emit(model, event);
}

export function emit(model: ModelSubscription, event: string): void {
  model.events.push(`${dayOf(model.now)} subscription.${event} ${model.status}`);
}

/** A mandate that waits for its payer is not used any more. */
export function dropPendingMandate(model: ModelSubscription): void {
  if (model.pendingMandate !== null) model.pendingMandate.state = 'ended';
  model.pendingMandate = null;
}

/**
 * Whether a charge is by means of payment that the subscription does not use any more. A boleto and a Pix charge no
 * stored means.
 */
export function isByFormerMeans({ replaced }: Attempt, { means }: ModelSubscription): boolean {
  if (replaced === null) return false;
  if ('card' in replaced && 'card' in means) {
    return means.card.id === null || means.card.id !== replaced.card.id;
  }
  return [replaced, means].some((each) => 'card' in each || 'mandate' in each);
}

/** A copy on which something can be tried. Cards are not copied. */
export function copyOf(model: ModelSubscription): ModelSubscription {
  const copy = structuredClone(model);
  if ('card' in model.means) copy.means = model.means;
  return copy;
}
