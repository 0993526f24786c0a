import assert from 'node:assert/strict';
import {
  changeMethod,
  changeToMandate,
  methodChangeProblem,
  planOfRequestedMandate,
  withDayOfMonth,
  withNextCycleOpened,
} from '../../../../domain/subscriptions/change-method.ts';
import { nextCharge } from '../../../../domain/subscriptions/engine/next-charge.ts';
import { mandateProblems } from '../../../../domain/subscriptions/new-subscription-problems.ts';
import { quotePlanChange } from '../../../../domain/subscriptions/plan-change.ts';
import { chargeOverdueCycle } from '../../../../domain/subscriptions/reactivate-billing.ts';
import { dayOf } from '../calendar.ts';
import { planAhead } from '../model/cycle.ts';
import { sentCharge } from '../model/kept-charge.ts';
import { pricesOfMandate, requestMandate } from '../model/mandate.ts';
import { useMeans } from '../model/merchant.ts';
import { authorize } from '../model/payer.ts';
import type { ModelMandate } from '../model/state.ts';
import { refuseWithdrawal } from './actions.ts';
import { drawMandate, drawOtherPlan, meansOf, QR_MS } from './draw.ts';
import { enginePlan, mandateTerms, type Pair, send } from './pair.ts';

const METHODS = ['credit_card', 'browser_wallet', 'bank_slip', 'pix', 'pix_recurring'] as const;

/** Another means of payment, or a new one of the same method. A mandate is authorized at once. */
export function changeMeans(pair: Pair): string | null {
  const { random, engine, model, now, decisions } = pair;
  const method = random.pick(METHODS);
  if (method === 'pix_recurring') return changeToNewMandate(pair);
  const sent = sentCharge(model);
  const isAllowed = methodChangeProblem(engine.billing, method) === null;
  const isAllowedByModel = useMeans(model, meansOf(method, decisions), now, send);
  assert.equal(isAllowed, isAllowedByModel, 'the method: the engine, then the model');
  if (!isAllowed) return `change to ${method}: refused`;
  const change = changeMethod(engine.billing, { method, mandate: null }, 'merchant', new Date(now));
  useNewMeans(pair);
  engine.apply(change);
  const overdue = change.payment === null ? chargeOverdueCycle(engine.billing, new Date(now)) : null;
  if (overdue !== null) engine.apply(overdue);
  return `change to ${method}${refuseWithdrawal(pair, sent)}`;
}

/** One time in two with another plan. One mandate in eight may not allow a price. */
function changeToNewMandate(pair: Pair): string | null {
  const { random, engine, model, now } = pair;
  const plan = random.oneIn(2) ? drawOtherPlan(random, model.plan) : null;
  const prices = pricesOfMandate(model, plan, now + QR_MS);
  if (prices.length === 0) return null;
  const asked = random.oneIn(8) ? prices.slice(0, 1) : prices;
  const sent = sentCharge(model);
  const mandate = drawMandate(random, now, (plan ?? planAhead(model)).interval, asked, plan);
  const isAllowed = engineAllows(pair, mandate);
  assert.equal(isAllowed, requestMandate(model, mandate), 'the mandate: the engine, then the model');
  if (!isAllowed) return `change to a mandate ${JSON.stringify(mandate)}: refused`;
  assert.ok(authorize(model, now));
  const pending = { method: 'pix_recurring', terms: mandateTerms(mandate) } as const;
  const { billing } = engine;
  const dated = plan === null ? billing : withDayOfMonth(billing, pair.drawn.bestDay);
  const wanted = { ...pending, plan: plan && enginePlan(plan) };
  const change = changeToMandate(dated, wanted, new Date(now), true);
  useNewMeans(pair);
  engine.apply(change);
  return `change to a mandate ${JSON.stringify(mandate)}${refuseWithdrawal(pair, sent)}`;
}

/** As `changeToMandate` of the service decides. */
function engineAllows({ engine: { billing }, now }: Pair, mandate: ModelMandate): boolean {
  if (methodChangeProblem(billing, 'pix_recurring') !== null) return false;
  const terms = mandateTerms(mandate);
  const plan = mandate.plan && enginePlan(mandate.plan);
  if (plan === null && nextCharge(billing) === null) return false;
  const opened = { ...withNextCycleOpened(billing, terms.qrExpiresAt), mandate: null };
  if (plan !== null && 'sentence' in quotePlanChange(opened, plan, 'next_cycle', dayOf(now))) return false;
  return mandateProblems(planOfRequestedMandate(billing, plan, terms.qrExpiresAt), terms).length === 0;
}

function useNewMeans({ engine }: Pair): void {
  engine.means++;
  engine.isToken = false;
}
