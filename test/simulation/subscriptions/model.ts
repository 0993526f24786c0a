import { billingDay, dayOf, plusDays, stepAt } from './calendar.ts';

/** How the bank decides: `soft` may be retried, `hard` must not be. */
export type Decision = 'approve' | 'soft' | 'hard';

/**
 * What the service knows after it has sent a charge. `unknown`: the answer was lost, or the process died. A decision of
 * `not_sent`: the process died before it sent the charge.
 */
export type Reply =
  | { readonly isKnown: true; readonly decision: Decision }
  | { readonly isKnown: false; readonly decision: Decision | 'not_sent' };

/** Sends one charge to the bank of a card. */
export type Send = (card: ModelCard) => Reply;

/** A card, with the decisions that a script gives for its next charges. */
export interface ModelCard {
  readonly id: string;
  readonly scripted: Decision[];
  /** The decision after the script. */
  readonly usual: Decision;
  /** The acquirer notifies its approvals before it answers. */
  readonly isNotified: boolean;
}

/** What a subscription was created with. Days are merchant's days. */
export interface Terms {
  readonly months: number;
  /** The price of each cycle; null after the last one. */
  readonly priceOf: (cycle: number) => number | null;
  readonly firstDay: string;
  /** The day of the month from the second cycle on. */
  readonly anchor: number;
  readonly trialDays: number;
}

export type InvoiceStatus = 'open' | 'paid' | 'past_due' | 'uncollectible' | 'void';

export interface ModelInvoice {
  status: InvoiceStatus;
  readonly start: string;
  readonly end: string;
  readonly amount: number;
  readonly attempts: ModelAttempt[];
}

export interface ModelAttempt {
  readonly day: string;
  state: 'processing' | 'refused' | 'paid';
}

interface OpenCycle {
  readonly cycle: number;
  readonly day: string;
  readonly invoice: ModelInvoice;
  /** The charge whose outcome the service does not know yet. */
  unsettled: { readonly day: string; readonly decision: Decision | 'not_sent' } | null;
  nextOn: string | null;
  retriesFrom: string | null;
}

const RETRY_DAYS = [1, 3, 5, 7];
/** How long a subscription that was canceled with an overdue cycle can be reactivated. */
const OVERDUE_DAYS = 30;
const OVERDUE = ['payment_refused', 'past_due', 'unpaid'];
const FINISHED = ['ended', 'completed'];

/** A subscription by card as the contract describes it (rows 8.3 to 8.11, 13.23 to 13.31). Times are in ms. */
export class ModelSubscription {
  status: string;
  paidCycles = 0;
  card: ModelCard;
  endsAt: number | null = null;
  readonly invoices = new Map<number, ModelInvoice>();
  /** `name status` */
  readonly events: string[] = [];
  readonly #terms: Terms;
  #open: OpenCycle | null = null;
  #paidUntil: string | null = null;
  #lastAttemptOn: string | null = null;

  constructor(terms: Terms, card: ModelCard, now: number, send: Send) {
    this.#terms = terms;
    this.card = card;
    this.status = terms.trialDays > 0 ? 'trial_started' : 'payment_pending';
    this.#emit('created');
    if (terms.firstDay <= dayOf(now)) this.#openCycle(now, send);
  }

  get isFinished(): boolean {
    return FINISHED.includes(this.status);
  }

  get isUnsettled(): boolean {
    return this.#open?.unsettled != null;
  }

  /** The decision that the service does not know; undefined if it knows all. */
  get unsettledDecision(): Decision | 'not_sent' | undefined {
    return this.#open?.unsettled?.decision;
  }

  /** What the record shows about the next charge: its day and its price. */
  get nextCharge(): readonly [day: string | null, amount: number | null] {
    if (this.isFinished) return [null, null];
    const open = this.#open;
    if (open !== null) return [open.nextOn ?? open.unsettled?.day ?? open.day, open.invoice.amount];
    const cycle = this.paidCycles + 1;
    const price = this.#terms.priceOf(cycle);
    return price === null ? [null, null] : [this.#dayOf(cycle), price];
  }

  /** When the next step is due; null if none is. Charges wait while the merchant is not approved. */
  nextDue(mayCharge: boolean): number | null {
    if (this.isFinished) return null;
    if (this.status === 'canceled') return this.endsAt!;
    const open = this.#open;
    if (open !== null) {
      const isWaiting = open.unsettled !== null || open.nextOn === null || !mayCharge;
      return isWaiting ? null : stepAt(open.nextOn!);
    }
    const cycle = this.paidCycles + 1;
    if (this.#terms.priceOf(cycle) === null) return stepAt(this.#paidUntil!);
    if (!mayCharge) return null;
    const day = this.#dayOf(cycle);
    const earliest = this.#lastAttemptOn === null ? day : plusDays(this.#lastAttemptOn, 1);
    return stepAt(day > earliest ? day : earliest);
  }

  /** Takes the step that is due. */
  step(now: number, send: Send): void {
    if (this.status === 'canceled') this.#end();
    else if (this.#open !== null) this.#attempt(this.#open, now, send);
    else if (this.#terms.priceOf(this.paidCycles + 1) === null) this.#become('completed', 'completed');
    else this.#openCycle(now, send);
  }

  /** The service finds out the outcome of its charge. */
  settle(now: number): void {
    const open = this.#open!;
    const { decision, day } = open.unsettled!;
    open.unsettled = null;
    const attempt = open.invoice.attempts.at(-1)!;
    attempt.state = decision === 'approve' ? 'paid' : 'refused';
    if (decision === 'approve') this.#succeed(open);
    else if (this.status === 'canceled' || this.isFinished) this.#failAfterEnd(open);
    else if (decision === 'not_sent') open.nextOn = dayOf(now);
    else this.#fail(open, day, dayOf(now), decision);
  }

  /** False if the subscription cannot be canceled. */
  cancel(now: number): boolean {
    if (this.status === 'canceled' || this.isFinished) return false;
    const endsNow = this.status === 'payment_pending';
    const open = this.#open;
    this.endsAt =
      open === null
        ? stepAt(this.#paidUntil ?? this.#terms.firstDay)
        : stepAt(plusDays(dayOf(now), OVERDUE_DAYS));
    this.#become('canceled', 'canceled', 'inactivated');
    if (open !== null) open.nextOn = null;
    if (endsNow) this.#end();
    return true;
  }

  /** False if the subscription cannot be reactivated. */
  reactivate(now: number): boolean {
    const [nextDay] = this.nextCharge;
    if (this.status !== 'canceled' || this.paidCycles === 0 || nextDay === null) return false;
    this.endsAt = null;
    this.#become('active', 'updated');
    if (this.#open !== null) {
      this.#restart(this.#open);
      this.#open.nextOn = dayOf(now);
      if (this.#open.invoice.status === 'uncollectible') this.#open.invoice.status = 'past_due';
    }
    return true;
  }

  /** Changes the card, and charges an overdue cycle at once. False if it cannot be changed. */
  useCard(card: ModelCard, now: number, send: Send): boolean {
    if (this.status === 'canceled' || this.isFinished) return false;
    this.card = card;
    this.#emit('updated');
    const open = this.#open;
    if (OVERDUE.includes(this.status) && open !== null && open.unsettled === null) {
      this.#restart(open);
      this.#attempt(open, now, send);
    }
    return true;
  }

  /** The payment of a cycle was refunded in full, or its chargeback was lost (row 8.7). */
  loseMoneyOf(cycle: number): void {
    const isRevocable =
      this.status === 'active' || this.status === 'canceled' || OVERDUE.includes(this.status);
    if (cycle !== this.paidCycles || !isRevocable) return;
    this.#become('ended', 'inactivated', 'ended');
    this.#dropOpenCycle();
  }

  #openCycle(now: number, send: Send): void {
    const cycle = this.paidCycles + 1;
    const amount = this.#terms.priceOf(cycle)!;
    const day = this.#dayOf(cycle);
    const attempts = this.invoices.get(cycle)?.attempts ?? [];
    const invoice: ModelInvoice = {
      status: 'open',
      start: day,
      end: this.#dayOf(cycle + 1),
      amount,
      attempts,
    };
    this.invoices.set(cycle, invoice);
    const open = { cycle, day, invoice, unsettled: null, nextOn: null, retriesFrom: null };
    this.#open = open;
    if (amount > 0) {
      this.#attempt(open, now, send);
    } else {
      this.#lastAttemptOn = dayOf(now);
      this.#succeed(open);
    }
  }

  #attempt(open: OpenCycle, now: number, send: Send): void {
    const day = dayOf(now);
    const reply = send(this.card);
    this.#lastAttemptOn = day;
    open.nextOn = null;
    open.unsettled = { day, decision: reply.decision };
    open.invoice.attempts.push({ day, state: 'processing' });
    if (reply.isKnown) this.settle(now);
  }

  #succeed(open: OpenCycle): void {
    open.invoice.status = 'paid';
    this.paidCycles = open.cycle;
    this.#paidUntil = open.invoice.end;
    this.#open = null;
    this.#emit('charge_succeeded');
    const isActivated = ['payment_pending', 'trial_started', ...OVERDUE].includes(this.status);
    if (isActivated) this.#become('active', 'activated');
    this.#emit('updated');
    if (this.status === 'canceled') this.endsAt = stepAt(open.invoice.end);
  }

  #fail(open: OpenCycle, attemptDay: string, today: string, decision: Decision): void {
    this.#emit('charge_failed');
    if (open.invoice.status === 'uncollectible') return;
    const from = open.retriesFrom ?? attemptDay;
    const days = RETRY_DAYS.map((count) => plusDays(from, count));
    const next = decision === 'hard' ? undefined : days.find((day) => day > today);
    open.retriesFrom = from;
    open.nextOn = next ?? null;
    open.invoice.status = next === undefined ? 'uncollectible' : 'past_due';
    if (next === undefined) this.#become('unpaid', 'unpaid');
    else if (!OVERDUE.includes(this.status)) {
      this.#become(this.status === 'payment_pending' ? 'payment_refused' : 'past_due', 'past_due');
    }
  }

  #failAfterEnd(open: OpenCycle): void {
    this.#emit('charge_failed');
    open.invoice.status = 'void';
    this.#open = null;
  }

  #end(): void {
    this.#become('ended', 'ended');
    this.#dropOpenCycle();
  }

  /** A charge that is not settled keeps its cycle: its money counts if it comes. */
  #dropOpenCycle(): void {
    if (this.#open === null || this.#open.unsettled !== null) return;
    this.#open.invoice.status = 'void';
    this.#open = null;
  }

  #restart(open: OpenCycle): void {
    open.nextOn = null;
    open.retriesFrom = null;
  }

  #dayOf(cycle: number): string {
    const { firstDay, months, anchor } = this.#terms;
    return billingDay(firstDay, months, anchor, cycle);
  }

  /** Emits events with the new status. */
  #become(status: string, ...events: string[]): void {
    this.status = status;
    for (const event of events) this.#emit(event);
  }

  #emit(event: string): void {
    this.events.push(`subscription.${event} ${this.status}`);
  }
}
