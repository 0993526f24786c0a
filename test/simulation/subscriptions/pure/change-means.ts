import assert from 'node:assert/strict';
import {
  changeMethod,
  changeToMandate,
  methodChangeProblem,
} from '../../../../domain/subscriptions/change-method.ts';
import { chargeOverdueCycle } from '../../../../domain/subscriptions/reactivate-billing.ts';
import { planAhead } from '../model/cycle.ts';
import { pricesAhead, requestMandate, useMeans } from '../model/merchant.ts';
import { authorize } from '../model/payer.ts';
import { drawMandate, meansOf } from './draw.ts';
import { mandateTerms, type Pair, send } from './pair.ts';

const METHODS = ['credit_card', 'browser_wallet', 'bank_slip', 'pix', 'pix_recurring'] as const;

/** Another means of payment, or a new one of the same method. A mandate is authorized at once. */
export function changeMeans(pair: Pair): string | null {
  const { random, engine, model, now, decisions } = pair;
  const method = random.pick(METHODS);
  if (method === 'pix_recurring') return changeToNewMandate(pair);
  const isAllowed = methodChangeProblem(engine.billing, method) === null;
  const isAllowedByModel = useMeans(model, meansOf(method, decisions), now, send);
  assert.equal(isAllowed, isAllowedByModel, 'the method: the engine, then the model');
  if (!isAllowed) return `change to ${method}: refused`;
  const change = changeMethod(engine.billing, { method, mandate: null }, 'merchant', new Date(now));
  useNewMeans(pair);
  engine.apply(change);
  const overdue = change.payment === null ? chargeOverdueCycle(engine.billing, new Date(now)) : null;
  if (overdue !== null) engine.apply(overdue);
  return `change to ${method}`;
}

function changeToNewMandate(pair: Pair): string | null {
  const { random, engine, model, now } = pair;
  const prices = pricesAhead(model).map((amount) => ({ amount }));
  if (prices.length === 0 || engine.waitsForMandate) return null;
  const mandate = drawMandate(random, now, planAhead(model).interval, prices);
  if (!requestMandate(model, mandate)) return null;
  assert.ok(authorize(model, now));
  const pending = { method: 'pix_recurring', terms: mandateTerms(mandate), plan: null } as const;
  const change = changeToMandate(engine.billing, pending, new Date(now), true);
  useNewMeans(pair);
  engine.apply(change);
  return `change to a mandate ${JSON.stringify(mandate)}`;
}

function useNewMeans({ engine }: Pair): void {
  engine.means++;
  engine.isToken = false;
}
