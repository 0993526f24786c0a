import { findCustomer } from '../../db/customers/customers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { isChargingMethod } from '../../domain/subscriptions/methods/charging.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { payingCustomer } from '../customers/resolve-customer.ts';
import type { Deps } from '../deps.ts';
import { methodModule } from '../payments/methods/index.ts';
import { requireRow } from '../refusal.ts';
import type { ChargeMeans } from './cycle-payment.ts';

/** Reads what a charge of a subscription needs: its customer and its means of payment, such as the card. */
export async function prepareCharge(
  deps: Deps,
  merchant: Merchant,
  subscription: Subscription,
): Promise<ChargeMeans> {
  const { billing, cardId, customerId, statementDescriptor } = subscription;
  if (!isChargingMethod(billing.method)) throw new Error(`No charge by ${billing.method} is possible.`);
  const input = { id: cardId, ...(statementDescriptor !== null && { statementDescriptor }) };
  const [customer, prepared] = await Promise.all([
    findCustomer(deps.db, merchant, { by: 'id', value: customerId }),
    methodModule(billing.method).prepare(deps, merchant, input),
  ]);
  return { prepared, customer: payingCustomer(requireRow(customer)) };
}
