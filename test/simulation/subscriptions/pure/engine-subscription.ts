import assert from 'node:assert/strict';
import type { Billing } from '../../../../domain/subscriptions/billing.ts';
import { resumeAttempt } from '../../../../domain/subscriptions/engine/attempt.ts';
import {
  type BillingChange,
  changeOf,
  type InvoiceChange,
} from '../../../../domain/subscriptions/engine/change.ts';
import { nextStep } from '../../../../domain/subscriptions/engine/next-step.ts';
import { openedInvoice } from '../../../../domain/subscriptions/engine/opened-invoice.ts';
import {
  type AttemptOutcome,
  settleAttempt,
} from '../../../../domain/subscriptions/engine/settle-attempt.ts';
import { takeStep } from '../../../../domain/subscriptions/engine/take-step.ts';
import { isPayable, withVoidedCycle } from '../../../../domain/subscriptions/engine/voided-cycle.ts';
import { type InvoiceStatus, invoiceMachine } from '../../../../domain/subscriptions/invoice-moves.ts';
import { DUNNING_DAYS } from '../../../../domain/subscriptions/retry-days.ts';
import { subscriptionMachine } from '../../../../domain/subscriptions/subscription-moves.ts';
import type { SubscriptionStatus } from '../../../../domain/subscriptions/subscription-status.ts';
import { dayOf, expiryOf, stepAt } from '../calendar.ts';
import { isIssued } from '../model/methods.ts';
import type { Attempt, Decision } from '../model/state.ts';

/** A charge that the engine has asked for. */
export interface EngineAttempt extends Omit<Attempt, 'decision' | 'replaced'> {
  /** The payer's decision about a charge by a mandate. */
  decision: Decision | null;
  /** Whether the acquirer has never received it. */
  isUnsent: boolean;
  readonly means: number | null;
  /** The status of the subscription before the charge. */
  readonly statusBefore: SubscriptionStatus;
}

export interface EngineInvoice {
  status: InvoiceStatus;
  readonly start: string;
  readonly end: string;
  readonly amount: number;
  readonly credit: number;
}

/**
 * A subscription of the engine, without the service: what it changes is recorded here, and banks decide as a list says.
 */
export class EngineSubscription {
  billing: Billing;
  now = 0;
  readonly events: string[] = [];
  readonly invoices = new Map<number, EngineInvoice>();
  readonly attempts = new Map<number, EngineAttempt[]>();
  /** The charge that was made last. */
  latest: EngineAttempt | null = null;
  /** Whether the token of a wallet was not charged yet. */
  isToken: boolean;
  /** Counts the means of payment. */
  means = 1;
  readonly #decisions: Decision[];

  constructor(change: BillingChange, now: number, terms: EngineTerms) {
    this.billing = change.billing;
    this.now = now;
    this.isToken = terms.isToken;
    this.#decisions = [...terms.decisions];
    this.events.push(`${dayOf(now)} subscription.created ${change.billing.status}`);
    this.apply(change);
  }

  /** Records a change. A card decides at once about its charge. */
  apply({ billing, moves, invoices, payment }: BillingChange): void {
    const statusBefore = this.billing.status;
    this.billing = billing;
    for (const { move } of moves) {
      for (const event of subscriptionMachine.moves[move].events) {
        this.events.push(`${dayOf(this.now)} ${event} ${billing.status}`);
      }
    }
    for (const change of invoices) this.#moveInvoice(change);
    if (payment === null) return;
    const { latest } = this;
    if (payment.kind === 'charge') this.#charge(payment, statusBefore);
    else if (payment.kind === 'send') this.#send(latest!);
    else if (latest?.state === 'waiting' || latest?.state === 'scheduled') {
      latest.state = payment.kind === 'withdraw' ? 'canceled' : 'expired';
    }
  }

  settle(outcome: AttemptOutcome): void {
    const isByFormerMeans = this.latest !== null && this.latest.means !== this.#presentMeans;
    const terms = { now: new Date(this.now), dunningDays: DUNNING_DAYS, isByFormerMeans };
    this.apply(settleAttempt(this.billing, outcome, terms));
  }

  /** An attempt of the open cycle is paid. The present one is canceled if it is another one. */
  pay(index: number): void {
    const { cycle } = this.billing.openCycle!;
    const paid = this.attempts.get(cycle)![index]!;
    const isUnderWay = this.billing.openCycle!.attempt !== null;
    if (isUnderWay && this.latest !== paid) this.latest!.state = 'canceled';
    paid.state = 'paid';
    this.settle({ kind: 'paid' });
  }

  /** The acquirer did not cancel the latest charge, which was withdrawn. As the service decides. */
  keep(cycle: number): void {
    const { billing, latest } = this;
    const { method, dueOn } = latest!;
    latest!.state = 'waiting';
    if (billing.openCycle !== null) {
      this.apply(changeOf(resumeAttempt(billing, { method, dueOn })));
      return;
    }
    assert.ok(isPayable(billing, cycle));
    const { start, amount, credit } = this.invoices.get(cycle)!;
    const voided = { cycle, billingDate: start, amount_centavos: amount, credit_centavos: credit };
    const resumed = resumeAttempt(withVoidedCycle(billing, voided), { method, dueOn });
    this.apply(changeOf(resumed, { invoices: [{ cycle, move: 'open', by: 'acquirer' }] }));
  }

  /** The bank decides about the charge that is under way. */
  decide(decision: Decision): void {
    const isFinal = this.isToken && decision !== 'approve';
    if (!isFinal) this.isToken = false;
    this.latest!.state = decision === 'approve' ? 'paid' : 'refused';
    const mayRetry = decision === 'soft' && !isFinal;
    this.settle(decision === 'approve' ? { kind: 'paid' } : { kind: 'refused', mayRetry });
  }

  /**
   * What happens next without a merchant or a payer; null if nothing does. A charge expires before anything else. The
   * service ends no subscription whose charge is under way.
   */
  nextDue(): { readonly at: number; run(): void } | null {
    const next = nextStep(this.billing);
    const step = next?.kind === 'end' && this.billing.openCycle?.attempt ? null : next;
    const run = () => this.apply(takeStep(this.billing, step!, new Date(this.now)));
    const ours = step && { at: step.dueAt.getTime(), run };
    const bank = this.#bankDue();
    if (ours === null || bank === null) return ours ?? bank;
    const [at, other] = [Math.max(ours.at, this.now), Math.max(bank.at, this.now)];
    if (at === other) return bank.isExpiry ? bank : ours;
    return at < other ? ours : bank;
  }

  /** Whether the first charge, or the mandate alone, waits for the payer's authorization. */
  get waitsForMandate(): boolean {
    const { status, mandate } = this.billing;
    return status === 'payment_pending' && mandate !== null && mandate.state !== 'authorized';
  }

  #bankDue() {
    const { latest } = this;
    const isUnderWay = this.billing.openCycle?.attempt != null && latest?.state === 'waiting';
    if (this.waitsForMandate || !isUnderWay) return null;
    if (!isIssued(latest.method)) {
      return { at: stepAt(latest.dueOn), isExpiry: false, run: () => this.decide(latest.decision!) };
    }
    const run = () => {
      latest.state = 'expired';
      this.settle({ kind: 'expired' });
    };
    return { at: expiryOf(latest.dueOn), isExpiry: true, run };
  }

  #charge({ cycle, dueOn, amount_centavos, isSent }: Charge, statusBefore: SubscriptionStatus): void {
    const { amount, credit } = this.invoices.get(cycle)!;
    assert.equal(amount_centavos, amount - credit, 'the charge is that of the invoice');
    const attempt: EngineAttempt = {
      ...{ method: this.billing.method, dueOn, expiresAt: null, amount: amount_centavos, state: 'scheduled' },
      ...{ decision: null, isUnsent: false, means: this.#presentMeans, statusBefore },
    };
    const others = this.attempts.get(cycle) ?? [];
    this.attempts.set(cycle, [...others, attempt]);
    this.latest = attempt;
    if (isSent) this.#send(attempt);
  }

  #send(attempt: EngineAttempt): void {
    attempt.state = 'waiting';
    if (isIssued(attempt.method) || this.waitsForMandate) return;
    const decision = this.#decisions.shift() ?? 'approve';
    if (attempt.method === 'pix_recurring') attempt.decision = decision;
    else this.decide(decision);
  }

  #moveInvoice({ cycle, move, by }: InvoiceChange): void {
    if (move === 'open') {
      const opened = openedInvoice(this.billing, cycle);
      const { billingDate: start, periodEnd: end, amount_centavos: amount, credit_centavos: credit } = opened;
      this.invoices.set(cycle, { status: 'open', start, end, amount, credit });
      return;
    }
    if (move === 'pay') this.isToken = false;
    const invoice = this.invoices.get(cycle)!;
    invoice.status = invoiceMachine.next(move, invoice.status, { by });
  }

  /** A boleto and a Pix charge no stored means of payment. */
  get #presentMeans(): number | null {
    return isIssued(this.billing.method) ? null : this.means;
  }
}

export interface EngineTerms {
  readonly decisions: readonly Decision[];
  readonly isToken: boolean;
}

type Charge = Extract<BillingChange['payment'], { kind: 'charge' }>;
