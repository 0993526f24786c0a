import assert from 'node:assert/strict';
import { planAhead as planAheadOf } from '../../../../domain/subscriptions/billing.ts';
import { nextCharge as nextChargeOf } from '../../../../domain/subscriptions/engine/next-charge.ts';
import { isClosed } from '../../../../domain/subscriptions/subscription-status.ts';
import { nextCharge } from '../model/create.ts';
import { planAhead } from '../model/cycle.ts';
import type { Attempt, ModelSubscription } from '../model/state.ts';
import type { EngineSubscription } from './engine-subscription.ts';
import type { Pair } from './pair.ts';

/** The record, the invoices with their charges, and the events. */
export function assertSame({ engine, model }: Pair): void {
  assert.deepEqual(ofEngine(engine), ofModel(model), 'the engine, then the model');
}

function ofEngine({ billing, events, invoices, attempts }: EngineSubscription) {
  const { status, method, plan, paidCycles, credit_centavos, endsAt } = billing;
  const ahead = planAheadOf(billing);
  const next = nextChargeOf(billing);
  return {
    ...{ status, method, paidCycles, events },
    credit: credit_centavos,
    endsAt: endsAt === null ? null : endsAt.getTime(),
    next: [next?.on ?? null, next?.amount_centavos ?? null],
    plans: [plan.offerId, plan.interval, ahead === plan || isClosed(status) ? null : ahead.offerId],
    invoices: [...invoices].map(([cycle, invoice]) => ({
      cycle,
      ...invoice,
      attempts: attemptsOf(attempts.get(cycle) ?? []),
    })),
  };
}

function ofModel(model: ModelSubscription): ReturnType<typeof ofEngine> {
  const { status, means, plan, paidCycles, credit, endsAt, events, invoices } = model;
  const ahead = planAhead(model);
  const isEnded = status === 'canceled' || isOver(status);
  return {
    ...{ status: status as ReturnType<typeof ofEngine>['status'], method: means.method, paidCycles, events },
    ...{ credit, endsAt },
    next: [...nextCharge(model)],
    plans: [plan.offerId, plan.interval, ahead === plan || isEnded ? null : ahead.offerId],
    invoices: [...invoices].map(([cycle, invoice]) => ({
      cycle,
      ...invoice,
      attempts: attemptsOf(invoice.attempts),
    })),
  };
}

function attemptsOf(attempts: readonly Pick<Attempt, 'method' | 'dueOn' | 'state' | 'amount'>[]) {
  return attempts.map(({ method, dueOn, state, amount }) => [method, dueOn, state, amount]);
}

function isOver(status: string): boolean {
  return status === 'ended' || status === 'completed';
}
