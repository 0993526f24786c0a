import { dayOf } from '../calendar.ts';
import { openCycle, upcoming } from './cycle.ts';
import type { Plan } from './plan.ts';
import { emit, type FirstDue, type Means, type ModelSubscription, type Send } from './state.ts';

/** What a subscription is created with. Days are merchant's days. */
export interface Terms {
  readonly plan: Plan;
  readonly means: Means;
  readonly firstDay: string;
  /** The day of the month from the second cycle on. */
  readonly anchor: number;
  /** Whether the merchant has chosen it. */
  readonly hasChosenDay: boolean;
  readonly trialDays: number;
  /** Of the first charge, if it is made now and the merchant has chosen it. */
  readonly firstDue?: FirstDue | undefined;
}

/**
 * A new subscription. Its first cycle is charged now if it starts today; a mandate is authorized first if that is free.
 */
export function newSubscription(terms: Terms, now: number, send: Send): ModelSubscription {
  const { plan, means, firstDay, anchor, hasChosenDay, trialDays, firstDue } = terms;
  const hasMandate = means.method === 'pix_recurring';
  const model: ModelSubscription = {
    ...{ now, plan, means, trialDays, hasChosenDay, split: [], installments: 1 },
    status: trialDays > 0 && !hasMandate ? 'trial_started' : 'payment_pending',
    ...{ pendingPlan: null, pendingUpgrade: null, upgrades: [], pendingMandate: null },
    requestedMandate: means.method === 'pix_recurring' ? means.mandate : null,
    schedule: { cycle: 1, day: firstDay, interval: plan.interval, anchor },
    ...{ paidCycles: 0, paidPeriod: null, open: null, credit: 0, endsAt: null },
    ...{ lastAttemptOn: null, lastMandateDueOn: null },
    ...{ scripted: [], invoices: new Map(), events: [] },
  };
  emit(model, 'created');
  const isFree = upcoming(model)!.amount === 0;
  if (firstDay <= dayOf(now) && !(hasMandate && isFree)) openCycle(model, now, send, firstDue);
  // A free cycle is paid at the creation, whose event shows that.
  if (isFree) model.events[0] = model.events[0]!.replace(/\S+$/, model.status);
  return model;
}

/** What the record shows about the next charge: its day and its price. */
export function nextCharge(model: ModelSubscription): readonly [day: string | null, amount: number | null] {
  if (['ended', 'completed'].includes(model.status)) return [null, null];
  const { open, means, paidCycles } = model;
  const isFinal = paidCycles === 0 || means.method === 'pix_recurring';
  if (model.status === 'canceled' && isFinal && !open?.attempt) return [null, null];
  if (open !== null) return [open.next?.dueOn ?? open.attempt?.dueOn ?? open.day, open.invoice.amount];
  const next = upcoming(model);
  return next === null ? [null, null] : [next.day, next.amount];
}
