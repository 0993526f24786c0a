import assert from 'node:assert/strict';
import { upcomingCycle } from '../../../../domain/subscriptions/engine/upcoming-cycle.ts';
import {
  changePlan as changeEngine,
  completeUpgrade,
  type PlanChangeQuote,
  type PlanChangeTime,
  quotePlanChange,
} from '../../../../domain/subscriptions/plan-change.ts';
import { dayOf } from '../calendar.ts';
import { changePlan as changeModel, quote, settleUpgrade } from '../model/merchant.ts';
import type { Plan } from '../model/plan.ts';
import { drawOtherPlan } from './draw.ts';
import type { EngineSubscription } from './engine-subscription.ts';
import { enginePlan, type Pair } from './pair.ts';

/** A change with the figures of both. The charge of an upgrade is refused one time in two, and then nothing changes. */
export function changePlan(pair: Pair): string {
  const { random, engine, model, now } = pair;
  const effective = random.oneIn(2) ? 'next_cycle' : 'immediate';
  const plan = drawOtherPlan(random, model.plan);
  const wanted = quote(model, plan, effective, now);
  const quoted = quotePlanChange(engine.billing, enginePlan(plan), effective, dayOf(now));
  const figures = 'sentence' in quoted ? null : quoted;
  assert.deepEqual(figures && figuresOf(figures), wanted, 'the figures: the engine, then the model');
  const log = `change the plan (${effective}) to ${JSON.stringify(plan)}`;
  if (wanted === null || figures === null) return `${log}: refused`;
  if (effective === 'next_cycle' || wanted.delta <= 0) {
    const credit = engine.billing.credit_centavos;
    changeModel(model, plan, effective, wanted);
    engine.apply(changeEngine(engine.billing, enginePlan(plan), effective, figures));
    const credited = effective === 'immediate' ? Math.max(0, -wanted.delta) : 0;
    assert.equal(engine.billing.credit_centavos, credit + credited, 'the credit of the preview');
  } else if (random.oneIn(2)) {
    upgrade(engine, plan);
    settleUpgrade(model, {
      plan,
      decision: 'approve',
      state: 'processing',
      amount: 0,
      cycle: model.paidCycles,
    });
  } else {
    const refused = { decision: 'soft', state: 'processing', amount: 0 } as const;
    settleUpgrade(model, { ...refused, plan, cycle: model.paidCycles });
    return `${log}: the charge was refused`;
  }
  assertExecuted(engine, figures, effective);
  return `${log}: ${JSON.stringify(wanted)}`;
}

function upgrade(engine: EngineSubscription, plan: Plan): void {
  engine.apply(completeUpgrade(engine.billing, enginePlan(plan), engine.billing.paidCycles));
}

/** The next charge is that of the preview. */
function assertExecuted(
  { billing }: EngineSubscription,
  figures: PlanChangeQuote,
  time: PlanChangeTime,
): void {
  const next = upcomingCycle(billing)!;
  assert.equal(next.amount_centavos, figures.nextChargeAmount_centavos, `the next price (${time})`);
  assert.equal(next.billingDate, figures.nextChargeOn, `the next date (${time})`);
}

function figuresOf({ nextChargeOn, nextChargeAmount_centavos, delta_centavos }: PlanChangeQuote) {
  return {
    next_charge_at: nextChargeOn,
    next_charge_amount: nextChargeAmount_centavos,
    delta: delta_centavos,
  };
}
