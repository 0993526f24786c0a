import { findCard } from '../../db/cards/cards.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import { isOrderCodeUsed } from '../../db/orders/orders.ts';
import type { Customer } from '../../domain/customers/customer.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant, PaymentMethod } from '../../domain/merchants/merchant.ts';
import type { OrderItem } from '../../domain/orders/order.ts';
import { checkCustomerReference, NO_SUCH_CUSTOMER } from '../customers/resolve-customer.ts';
import { type Deps, now } from '../deps.ts';
import { invalid, Refusal, Violations } from '../refusal.ts';
import { destinationProblem } from '../webhooks/check-destination.ts';
import type { NewOrder } from './new-order.ts';

export const CODE_USED = 'You have used this code before.';
export const NO_SUCH_CARD = 'The customer has no such card.';

const PIX_LONGEST_MS = 30 * 24 * 60 * 60_000;

/**
 * Checks what the contract's schema cannot express about an order, and refuses with every violation at once. Returns until
 * when a Pix can be paid; null where the order does not say.
 */
export async function checkOrder(
  deps: Deps,
  merchant: Merchant,
  order: NewOrder,
): Promise<{ pixExpiresAt: Date | null }> {
  const violations = new Violations();
  checkAccount(merchant, violations, order);
  checkItems(violations, order.items, order.amount_centavos);
  checkCustomerReference(violations, order.customer);
  const pixExpiresAt = checkPixExpiry(violations, order.pixExpiresAt, now(deps, merchant));
  if (order.notificationUrl !== null) {
    const problem = await destinationProblem(deps, merchant.merchantId, order.notificationUrl);
    if (problem !== undefined) violations.add('notificationUrl', problem);
  }
  violations.throwIfAny();
  return { pixExpiresAt };
}

function checkAccount(merchant: Merchant, violations: Violations, order: NewOrder): void {
  if (!merchant.mccs.includes(order.mcc)) {
    violations.add('mcc', `Must be one of your account's codes: ${merchant.mccs.join(', ')}.`);
  }
  if (!merchant.paymentMethods.includes(order.method satisfies PaymentMethod)) {
    violations.add('method', 'This payment method is not enabled for your account.');
  }
  if (!merchant.currencies.includes(order.currency)) {
    violations.add('currency', 'This currency is not enabled for your account.');
  }
}

/** In BigInt: the product of the contract's largest quantity and price is more than a number holds exactly. */
function checkItems(violations: Violations, items: readonly OrderItem[], amount_centavos: number): void {
  if (items.length === 0) return;
  const sum = items.reduce((total, item) => total + BigInt(item.quantity) * BigInt(item.amount), 0n);
  if (sum !== BigInt(amount_centavos)) {
    violations.add('amount_centavos', `Must equal the sum of the items, which is ${sum} centavos.`);
  }
}

function checkPixExpiry(violations: Violations, text: string | null, at: Date): Date | null {
  if (text === null) return null;
  const expiresAt = new Date(text);
  const ahead_ms = expiresAt.getTime() - at.getTime();
  if (!(ahead_ms > 0)) violations.add('pixExpiresAt', 'Must be in the future.');
  if (ahead_ms > PIX_LONGEST_MS) violations.add('pixExpiresAt', 'Must be at most 30 days ahead.');
  return expiresAt;
}

/**
 * Returns a refusal of an order with the violations added that only the database knows: of its code, its customer, its
 * card. Only a request that is refused anyway pays for these look-ups. Other errors are returned unchanged.
 */
export async function withEveryViolation(
  deps: Deps,
  merchant: Merchant,
  order: NewOrder,
  thrown: unknown,
): Promise<unknown> {
  if (!(thrown instanceof Refusal) || thrown.fields === undefined) return thrown;
  const customer = await namedCustomer(deps, merchant, order);
  const [isUsed, isCardMissing] = await Promise.all([
    isOrderCodeUsed(deps.db, merchant, order.code),
    isCardMissingOf(deps, merchant, order, customer),
  ]);
  return invalid({
    ...(isUsed && { code: CODE_USED }),
    ...(order.customer.id !== undefined && customer === undefined && { 'customer.id': NO_SUCH_CUSTOMER }),
    ...(isCardMissing && { 'card.id': NO_SUCH_CARD }),
    ...thrown.fields,
  });
}

async function namedCustomer(
  deps: Deps,
  merchant: Merchant,
  { customer }: NewOrder,
): Promise<Customer | undefined> {
  if (customer.id === undefined)
    return findCustomer(deps.db, merchant, { by: 'email', value: customer.email });
  if (!isUuid(customer.id)) return undefined;
  return findCustomer(deps.db, merchant, { by: 'id', value: normalizeUuid(customer.id) });
}

/** When the named customer does not exist, any card of the merchant is accepted: the customer is the violation. */
async function isCardMissingOf(
  deps: Deps,
  merchant: Merchant,
  { card: named, customer: reference }: NewOrder,
  customer: Customer | undefined,
): Promise<boolean> {
  if (named === null) return false;
  const card = await findCard(deps.db, merchant, normalizeUuid(named.id));
  if (card === undefined) return true;
  const isOpen = reference.id !== undefined && customer === undefined;
  return !isOpen && card.customerId !== customer?.id;
}
