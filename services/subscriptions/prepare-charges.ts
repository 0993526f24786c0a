import { findCustomer } from '../../db/customers/customers.ts';
import { findMandate } from '../../db/payments/mandates.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Mandate } from '../../domain/payments/mandate.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
import type { Deps } from '../deps.ts';
import { methodModule } from '../payments/methods/index.ts';
import { requireRow, Violations } from '../refusal.ts';
import { Unreadable } from '../vault/vault.ts';
import type { ChargeMeans } from './cycle-payment.ts';
import { chargeMethod } from './methods/index.ts';
import { laterPayer } from './stored-means.ts';

/** What a charge by a mandate needs. */
export interface MandateMeans {
  readonly mandate: Mandate;
  readonly customer: PayingCustomer;
}

type MeansOfSubscription = Pick<Subscription, 'billing' | 'cardId' | 'walletCredentialId' | 'mandateId'>;

/** What the charge of a billing step needs. */
export type StepMeans = (ChargeMeans | MandateMeans) & {
  /** The subscription as it was when they were read. */
  readonly of: MeansOfSubscription;
};

/** The means of payment of a subscription cannot be read, and its charge no longer waits for them. */
export interface UnreadableMeans {
  readonly isUnreadable: true;
  readonly of: MeansOfSubscription;
}

/** Whether a subscription has the same means of payment as when it was read. */
export function hasSameMeans(read: MeansOfSubscription, now: MeansOfSubscription): boolean {
  return (
    read.billing.method === now.billing.method &&
    read.cardId === now.cardId &&
    read.walletCredentialId === now.walletCredentialId &&
    read.mandateId === now.mandateId
  );
}

export function isUnreadable(means: StepMeans | UnreadableMeans): means is UnreadableMeans {
  return 'isUnreadable' in means;
}

export function isByMandate(means: StepMeans): means is StepMeans & MandateMeans {
  return 'mandate' in means;
}

/** Reads what the charge of a billing step needs. */
export async function prepareStep(
  deps: Deps,
  merchant: Merchant,
  subscription: Subscription,
): Promise<StepMeans> {
  const { customerId, mandateId } = subscription;
  if (mandateId === null) return { ...(await prepareCharge(deps, merchant, subscription)), of: subscription };
  const [customer, mandate] = await Promise.all([
    findCustomer(deps.db, merchant, { by: 'id', value: customerId }),
    findMandate(deps.db, merchant, mandateId),
  ]);
  const payer = laterPayer(requireRow(customer), subscription);
  return { mandate: requireRow(mandate), customer: payer, of: subscription };
}

/**
 * Reads the customer and the means of payment of a subscription that has no mandate, such as the card. Throws
 * `Unreadable` if the card cannot be read, or if the method cannot name the customer.
 */
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
  const payer = laterPayer(requireRow(customer), subscription);
  const violations = new Violations();
  methodModule(method).checkPayer?.(violations, payer);
  if (violations.any) throw new Unreadable(`The customer cannot be charged by ${method}: data is missing.`);
  return { prepared, customer: payer };
}
