import { endOfMerchantDay, localTimestamp, merchantDay } from '../../../domain/local-time.ts';
import type { Billing } from '../../../domain/subscriptions/billing.ts';
import { stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import type {
  BillingChange,
  InvoiceChange,
  PaymentAction,
} from '../../../domain/subscriptions/engine/change.ts';
import { dueStep, nextStep } from '../../../domain/subscriptions/engine/next-step.ts';
import { type AttemptOutcome, settleAttempt } from '../../../domain/subscriptions/engine/settle-attempt.ts';
import { takeStep } from '../../../domain/subscriptions/engine/take-step.ts';
import { type InvoiceStatus, invoiceMachine } from '../../../domain/subscriptions/invoice-moves.ts';
import type { MandateTerms } from '../../../domain/subscriptions/mandate-terms.ts';
import { billingRules } from '../../../domain/subscriptions/methods/index.ts';
import { DUNNING_DAYS } from '../../../domain/subscriptions/retry-days.ts';
import { type NewBilling, startBilling } from '../../../domain/subscriptions/start-billing.ts';
import { subscriptionMachine } from '../../../domain/subscriptions/subscription-moves.ts';

/**
 * `soft`: refused, may be retried. `hard`: refused for good. `late`: no payment; it expires. `unsent`: never received.
 * `unknown`: no answer.
 */
export type Answer = 'paid' | 'soft' | 'hard' | 'late' | 'unsent' | 'unknown';

/** How the acquirer answers an attempt; the attempts of a cycle count from 1. */
export type Acquirer = (attempt: { readonly cycle: number; readonly number: number }) => Answer;

export interface Charge {
  readonly cycle: number;
  readonly createdOn: string;
  readonly dueOn: string;
  readonly amount_centavos: number;
  answer: Answer | null;
}

const OUTCOMES: Readonly<Record<Exclude<Answer, 'unknown'>, AttemptOutcome>> = {
  paid: { kind: 'paid' },
  soft: { kind: 'refused', mayRetry: true },
  hard: { kind: 'refused', mayRetry: false },
  late: { kind: 'expired' },
  unsent: { kind: 'not_sent' },
};

/** One subscription on a clock of its own, with an acquirer that answers by a function. */
export class BillingPlayer {
  billing: Billing;
  now: Date;
  readonly charges: Charge[] = [];
  /** `DD/MM/YYYY HH:mm what`, in order. */
  readonly log: string[] = [];
  readonly events: string[] = [];
  /** The status of the invoice of each cycle. */
  readonly invoices = new Map<number, InvoiceStatus>();
  readonly #acquirer: Acquirer;
  readonly #dunningDays: readonly number[];
  #pending: { readonly at: Date; readonly answer: Answer; readonly charge: Charge } | null = null;

  constructor(
    request: NewBilling,
    now: Date,
    acquirer: Acquirer = () => 'paid',
    dunningDays: readonly number[] = DUNNING_DAYS,
  ) {
    this.now = now;
    this.#acquirer = acquirer;
    this.#dunningDays = dunningDays;
    const begun = startBilling(request, now);
    this.billing = begun.billing;
    this.apply(begun, 'create');
  }

  /** Moves the clock to an instant; each step and each answer has its own time. */
  advanceTo(target: Date): this {
    for (;;) {
      const step = nextStep(this.billing);
      const due = [step?.dueAt, this.#pending?.at].filter((at) => at !== undefined);
      const first_ms = Math.min(...due.map((at) => at.getTime()));
      if (!(first_ms <= target.getTime())) break;
      this.now = new Date(Math.max(first_ms, this.now.getTime()));
      this.runDue();
    }
    if (target > this.now) this.now = target;
    return this;
  }

  /** To the end of a merchant's day. */
  advanceThrough(day: string): this {
    return this.advanceTo(new Date(endOfMerchantDay(day).getTime() - 1));
  }

  /** Runs what is due now, as a worker does after an outage. */
  runDue(): void {
    for (;;) {
      if (this.#pending !== null && this.#pending.at <= this.now) this.#answer();
      const step = dueStep(this.billing, this.now);
      if (step === null) return;
      this.apply(takeStep(this.billing, step, this.now), step.kind);
    }
  }

  /** Answers the attempt that is under way without an answer. */
  settle(answer: Exclude<Answer, 'unknown'>): void {
    const charge = this.charges.at(-1)!;
    charge.answer = answer;
    this.#pending = null;
    this.#settle(answer);
  }

  apply(change: BillingChange, what: string): void {
    this.billing = change.billing;
    this.log.push(`${localTimestamp(this.now).slice(0, 16)} ${what}`);
    for (const { move } of change.moves) this.events.push(...subscriptionMachine.moves[move].events);
    for (const invoice of change.invoices) this.#moveInvoice(invoice);
    if (change.payment !== null) this.#pay(change.payment);
  }

  #moveInvoice({ cycle, move, by }: InvoiceChange): void {
    const before = this.invoices.get(cycle);
    if (move === 'open' && before === undefined) {
      this.invoices.set(cycle, 'open');
      return;
    }
    const name = move === 'open' ? 'reopen' : move;
    this.invoices.set(cycle, invoiceMachine.next(name, before!, { by }));
  }

  #pay(payment: PaymentAction): void {
    if (payment.kind === 'charge') {
      const { cycle, dueOn, amount_centavos, isSent } = payment;
      this.charges.push({ cycle, createdOn: merchantDay(this.now), dueOn, amount_centavos, answer: null });
      if (isSent) this.#ask();
    } else if (payment.kind === 'send') {
      this.#ask();
    } else {
      this.#pending = null;
    }
  }

  #ask(): void {
    const charge = this.charges.at(-1)!;
    const { cycle, dueOn } = charge;
    const number = this.charges.filter((other) => other.cycle === cycle).length;
    const answer = this.#acquirer({ cycle, number });
    if (answer === 'unknown') return;
    const at_ms = Math.max(this.now.getTime(), this.#answerTime(dueOn, answer).getTime());
    this.#pending = { at: new Date(at_ms), answer, charge };
    if (this.#pending.at <= this.now) this.#answer();
  }

  #answerTime(dueOn: string, answer: Answer): Date {
    const { chargesAtOnce } = billingRules(this.billing.method);
    if (chargesAtOnce) return this.now;
    return answer === 'late' ? endOfMerchantDay(dueOn) : stepTime(dueOn);
  }

  #answer(): void {
    const { answer, charge } = this.#pending!;
    charge.answer = answer;
    this.#pending = null;
    this.#settle(answer as Exclude<Answer, 'unknown'>);
  }

  #settle(answer: Exclude<Answer, 'unknown'>): void {
    const terms = { now: this.now, dunningDays: this.#dunningDays };
    this.apply(settleAttempt(this.billing, OUTCOMES[answer], terms), answer);
  }
}

/** A request for a monthly card subscription of R$ 100.00 that starts on a day. */
export function monthlyCard(startOn: string, other: Partial<NewBilling> = {}): NewBilling {
  return {
    method: 'credit_card',
    plan: { offerId: null, interval: 'monthly', ladder: [{ start: 1, end: null, amount_centavos: 10_000 }] },
    startOn,
    trialDays: 0,
    bestChargeDay: null,
    nextChargeAmount_centavos: null,
    mandate: null,
    ...other,
  };
}

/** A mandate of R$ 100.00 a month that waits for the payer for 30 minutes. */
export function waitingMandate(createdAt: Date, other: Partial<MandateTerms> = {}): MandateTerms {
  return {
    state: 'created',
    qrExpiresAt: new Date(createdAt.getTime() + 30 * 60_000),
    interval: 'monthly',
    recurringAmount_centavos: 10_000,
    minAmount_centavos: null,
    allowsRetries: true,
    ...other,
  };
}

/** A request for a monthly Pix recurring subscription of R$ 100.00 that is created on the afternoon of a day. */
export function monthlyPix(startOn: string, other: Partial<NewBilling> = {}): NewBilling {
  const mandate = waitingMandate(afternoonOf(startOn));
  return monthlyCard(startOn, { method: 'pix_recurring', mandate, ...other });
}

/** An instant of a merchant's day: 15:00 in São Paulo. */
export function afternoonOf(day: string): Date {
  return new Date(stepTime(day).getTime() + 9 * 3_600_000);
}
