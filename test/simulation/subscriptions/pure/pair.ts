import type { Plan as EnginePlan } from '../../../../domain/subscriptions/billing.ts';
import type { MandateTerms } from '../../../../domain/subscriptions/mandate-terms.ts';
import { startBilling } from '../../../../domain/subscriptions/start-billing.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { dayOf, plusDays } from '../calendar.ts';
import { newSubscription } from '../model/create.ts';
import { firstDue, takeDueSteps } from '../model/due-steps.ts';
import type { Plan } from '../model/plan.ts';
import type { Decision, ModelMandate, ModelSubscription, Reply, Send } from '../model/state.ts';
import { type Drawn, drawSubscription, meansOf } from './draw.ts';
import { EngineSubscription } from './engine-subscription.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** One subscription, in the engine and in the model, at the same time. */
export class Pair {
  readonly random: SeededRandom;
  readonly engine: EngineSubscription;
  readonly model: ModelSubscription;
  /** How banks decide about the next charges of the model. */
  readonly decisions: Decision[];
  readonly drawn: Drawn;
  #now: number;

  constructor(random: SeededRandom) {
    this.random = random;
    this.#now = Date.UTC(2027, 0, 1) + random.integer(0, 4 * 365) * DAY_MS + random.integer(0, 23) * HOUR_MS;
    this.drawn = drawSubscription(random, this.now);
    this.decisions = [...this.drawn.decisions];
    this.model = newModel(this.drawn, this.now, this.decisions);
    this.engine = newEngine(this.drawn, this.now);
  }

  get now(): number {
    return this.#now;
  }

  /** Time passes, but nothing is done. */
  set now(at: number) {
    this.#now = at;
    this.model.now = at;
    this.engine.now = at;
  }

  /** When the model has something to do next; infinity if it has not. */
  get dueAt(): number {
    return firstDue([this.model], { now: this.now, isApproved: true });
  }

  /** Does what is due now. */
  work(): void {
    const { engine, model, now } = this;
    takeDueSteps(model, { now, isApproved: true }, 'service', send);
    for (let step = engine.nextDue(); step !== null && step.at <= this.now; step = engine.nextDue())
      step.run();
  }

  /** Time passes, and everything is done at its time. */
  advance(to: number): void {
    for (;;) {
      const at = Math.min(this.dueAt, this.engine.nextDue()?.at ?? Infinity);
      if (!(at <= to)) break;
      this.now = Math.max(this.now, at);
      this.work();
    }
    this.now = to;
  }
}

/** Every answer arrives. */
export const send: Send = ({ means }): Reply => {
  if (!('card' in means)) return { isKnown: true, decision: 'approve' };
  const { scripted, usual } = means.card;
  return { isKnown: true, decision: scripted.shift() ?? usual };
};

function newModel(drawn: Drawn, now: number, decisions: Decision[]): ModelSubscription {
  const { method, mandate, trialDays, plan, nextAmount } = drawn;
  const firstDay = plusDays(drawn.startDay, trialDays);
  const isChargedNow = firstDay <= dayOf(now);
  const means =
    method === 'pix_recurring' ? { method, mandate: mandate! } : meansOf(method, decisions, isChargedNow);
  const special = nextAmount === null ? null : { cycle: isChargedNow ? 2 : 1, amount: nextAmount };
  const anchor = drawn.bestDay ?? Number(firstDay.slice(8));
  const hasChosenDay = drawn.bestDay !== null;
  const firstDue = drawn.firstDueOn === null ? undefined : { on: drawn.firstDueOn, expiresAt: null };
  const terms = { plan: { ...plan, special }, means, firstDay, anchor, hasChosenDay, trialDays, firstDue };
  const model = newSubscription(terms, now, send);
  model.scripted = decisions;
  return model;
}

function newEngine(drawn: Drawn, now: number): EngineSubscription {
  const { method, mandate, trialDays, startDay, decisions } = drawn;
  const request = {
    ...{ method, trialDays, startOn: startDay, plan: enginePlan(drawn.plan), bestChargeDay: drawn.bestDay },
    ...{ nextChargeAmount_centavos: drawn.nextAmount, firstDueOn: drawn.firstDueOn },
    mandate: mandate && mandateTerms(mandate),
  };
  const isToken = method === 'browser_wallet' && plusDays(startDay, trialDays) <= dayOf(now);
  const change = startBilling(request, new Date(now));
  return new EngineSubscription(change, now, { decisions, isToken });
}

export function enginePlan({ offerId, interval, bands }: Plan): EnginePlan {
  const ladder = bands.map(({ start, end, amount }) => ({ start, end, amount_centavos: amount }));
  return { offerId, interval, ladder };
}

export function mandateTerms(mandate: ModelMandate): MandateTerms {
  return {
    state: 'created',
    qrExpiresAt: new Date(mandate.qrExpiresAt),
    interval: mandate.interval,
    recurringAmount_centavos: mandate.fixed,
    minAmount_centavos: mandate.minimum,
    allowsRetries: mandate.mayRetry,
  };
}
