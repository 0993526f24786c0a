import type { Billing } from '../../domain/subscriptions/billing.ts';
import { methodChangeProblem } from '../../domain/subscriptions/change-method.ts';
import type { BillingMethod } from '../../domain/subscriptions/methods/names.ts';
import { invalid, notInThisState } from '../refusal.ts';

/** Refuses a payment method that a subscription cannot change to. Refusals: `wrong_state`, the method. */
export function refuseMethodChange(billing: Billing, method: BillingMethod): void {
  const problem = methodChangeProblem(billing, method);
  if (problem === null) return;
  if (problem.about === 'method') throw invalid({ 'payment.method': problem.sentence });
  throw notInThisState(problem.sentence);
}
