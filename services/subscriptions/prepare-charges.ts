import { findCustomer } from '../../db/customers/customers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { type PayingCustomer, payingCustomer } from '../customers/resolve-customer.ts';
import type { Deps } from '../deps.ts';
import { methodModule } from '../payments/methods/index.ts';
import { requireRow } from '../refusal.ts';
import type { ChargeMeans } from './cycle-payment.ts';
import { chargeMethod } from './methods/index.ts';

/** Reads what a charge of a subscription needs: its customer and its means of payment, such as the card. */
export async function prepareCharge(
  deps: Deps,
  merchant: Merchant,
  subscription: Subscription,
): Promise<ChargeMeans> {
  const { method } = subscription.billing;
  const input = chargeMethod(method).laterInput(subscription);
  const [customer, prepared] = await Promise.all([
    findCustomer(deps.db, merchant, { by: 'id', value: subscription.customerId }),
    methodModule(method).prepare(deps, merchant, input),
  ]);
  return { prepared, customer: withStoredPayer(payingCustomer(requireRow(customer)), subscription) };
}

function withStoredPayer(customer: PayingCustomer, { payer }: Subscription): PayingCustomer {
  if (payer === null) return customer;
  return {
    ...customer,
    document: customer.document ?? payer.document,
    address: customer.address ?? payer.address,
  };
}
