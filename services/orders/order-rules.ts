import { findCustomer } from '../../db/customers/customers.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import { mostInstallments } from '../../domain/installments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { OrderItem } from '../../domain/orders/order.ts';
import {
  type CustomerReference,
  checkCustomerReference,
  NO_SUCH_CUSTOMER,
  payerOf,
} from '../customers/resolve-customer.ts';
import { type Deps, now } from '../deps.ts';
import { checkSplit, resolveSplit } from '../ledger/resolve-split.ts';
import { methodInput, methodModule } from '../payments/methods/index.ts';
import type { Buyer } from '../payments/methods/method.ts';
import { invalid, Refusal, Violations } from '../refusal.ts';
import { destinationProblem } from '../webhooks/check-destination.ts';
import type { NewOrder } from './new-order.ts';

export const CODE_USED = 'You have used this code before.';

/** Checks what the contract's schema cannot express about an order, and refuses with every violation at once. */
export async function checkOrder(deps: Deps, merchant: Merchant, order: NewOrder): Promise<void> {
  const violations = new Violations();
  checkAccount(merchant, violations, order);
  checkItems(violations, order.items, order.amount_centavos);
  checkInstallments(violations, order.installments, order.amount_centavos);
  checkCustomerReference(violations, order.customer);
  checkSplit(merchant, violations, order.split, order.amount_centavos);
  methodModule(order.payment.method).check(violations, methodInput(order.payment), now(deps, merchant));
  if (order.notificationUrl !== null) {
    const problem = await destinationProblem(deps, merchant.merchantId, order.notificationUrl);
    if (problem !== undefined) violations.add('notificationUrl', problem);
  }
  violations.throwIfAny();
}

/** Checks that the merchant's account has the category code, the payment method and the currency. */
export function checkAccount(
  merchant: Merchant,
  violations: Violations,
  order: Pick<NewOrder, 'mcc' | 'currency'> & { readonly payment: Pick<NewOrder['payment'], 'method'> },
): void {
  if (!merchant.mccs.includes(order.mcc)) {
    violations.add('mcc', `Must be one of your account's codes: ${merchant.mccs.join(', ')}.`);
  }
  if (!merchant.paymentMethods.includes(order.payment.method)) {
    violations.add('payment.method', 'This payment method is not enabled for your account.');
  }
  if (!merchant.currencies.includes(order.currency)) {
    violations.add('currency', 'This currency is not enabled for your account.');
  }
}

/** Checks that each installment of an amount is at least one centavo. */
export function checkInstallments(
  violations: Violations,
  installments: number,
  amount_centavos: number,
): void {
  const most = mostInstallments(amount_centavos);
  if (installments <= most) return;
  violations.add(
    'installments',
    `Each installment is at least 1 centavo: the amount can have at most ${most}.`,
  );
}

/**
 * Checks that items, if there are any, add up to the amount. BigInt, because the product of the largest quantity and
 * price of the contract is too large for an exact number.
 */
export function checkItems(
  violations: Violations,
  items: readonly OrderItem[],
  amount_centavos: number,
): void {
  if (items.length === 0) return;
  const sum = items.reduce((total, item) => total + BigInt(item.quantity) * BigInt(item.amount), 0n);
  if (sum !== BigInt(amount_centavos)) {
    violations.add('amount_centavos', `Must equal the sum of the items, which is ${sum} centavos.`);
  }
}

/** What the violations of an order or a subscription that need a look-up are found by. */
interface LookedUp extends Pick<NewOrder, 'customer' | 'payment' | 'split'> {
  isCodeUsed(): Promise<boolean>;
}

/** The violations of an order or a subscription that need a look-up: code, customer, means of payment, recipients. */
export async function lookUpViolations(
  deps: Deps,
  merchant: Merchant,
  { customer, payment, split, isCodeUsed }: LookedUp,
): Promise<Violations> {
  const violations = new Violations();
  const [isUsed, buyer] = await Promise.all([isCodeUsed(), findBuyer(deps, merchant, customer)]);
  if (isUsed) violations.add('code', CODE_USED);
  if (buyer.kind === 'missing') violations.add('customer.id', NO_SUCH_CUSTOMER);
  const module = methodModule(payment.method);
  await module.findViolations(deps, merchant, violations, methodInput(payment), buyer);
  await resolveSplit(deps.db, merchant, violations, split);
  return violations;
}

/**
 * Adds the violations that need a look-up to the refusal of an order or a subscription, so that the caller sees all of
 * them together. Requests that are not refused skip these look-ups. Other errors are returned unchanged.
 */
export async function withEveryViolation(
  deps: Deps,
  merchant: Merchant,
  lookedUp: LookedUp,
  thrown: unknown,
): Promise<unknown> {
  if (!(thrown instanceof Refusal) || thrown.fields === undefined) return thrown;
  const found = await lookUpViolations(deps, merchant, lookedUp);
  return invalid({ ...found.fields, ...thrown.fields });
}

/** Whether the buyer that a request names exists. */
async function findBuyer(deps: Deps, merchant: Merchant, reference: CustomerReference): Promise<Buyer> {
  if (reference.id === undefined) {
    const byEmail = await findCustomer(deps.db, merchant, { by: 'email', value: reference.email });
    const payer = payerOf(byEmail?.isTypedByBuyer ? undefined : byEmail, reference);
    return byEmail === undefined
      ? { kind: 'new', ...payer }
      : { kind: 'known', customerId: byEmail.id, ...payer };
  }
  if (!isUuid(reference.id)) return { kind: 'missing' };
  const byId = await findCustomer(deps.db, merchant, { by: 'id', value: normalizeUuid(reference.id) });
  if (byId === undefined) return { kind: 'missing' };
  return { kind: 'known', customerId: byId.id, ...payerOf(byId, reference) };
}
