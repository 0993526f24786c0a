import type { OrderItem } from '../db/orders.ts';
import type { Merchant, PaymentMethod } from '../domain/merchant.ts';
import { destinationProblem } from './check-destination.ts';
import type { NewOrder } from './create-order.ts';
import { type Deps, now } from './deps.ts';
import { Violations } from './refusal.ts';
import { checkCustomerReference } from './resolve-customer.ts';

const PIX_DEFAULT_MS = 30 * 60_000;
const PIX_LONGEST_MS = 30 * 24 * 60 * 60_000;

/**
 * What the contract's schema cannot say about an order. Refuses with every violation at once; resolves to what the
 * rules work out: until when a Pix may be paid.
 */
export async function checkOrder(
  deps: Deps,
  merchant: Merchant,
  order: NewOrder,
): Promise<{ pixExpiresAt: Date }> {
  const violations = new Violations();
  checkAccount(violations, merchant, order);
  checkItems(violations, order.items, order.amount_centavos);
  checkCustomerReference(violations, order.customer);
  const pixExpiresAt = checkPixExpiry(violations, order.pixExpiresAt, now(deps, merchant));
  if (order.notificationUrl !== null) {
    const problem = await destinationProblem(deps, order.notificationUrl);
    if (problem !== undefined) violations.add('notification_url', problem);
  }
  violations.throwIfAny();
  return { pixExpiresAt };
}

function checkAccount(violations: Violations, merchant: Merchant, order: NewOrder): void {
  if (!merchant.mccs.includes(order.mcc)) {
    violations.add('mcc', `Must be one of your account's codes: ${merchant.mccs.join(', ')}.`);
  }
  if (!merchant.paymentMethods.includes(order.method satisfies PaymentMethod)) {
    violations.add('payment.payment_method', 'This payment method is not enabled for your account.');
  }
  if (!merchant.currencies.includes(order.currency)) {
    violations.add('payment.currency', 'This currency is not enabled for your account.');
  }
}

/** In BigInt: the contract's largest quantities and prices multiply to more than a number holds exactly. */
function checkItems(violations: Violations, items: readonly OrderItem[], amount_centavos: number): void {
  if (items.length === 0) return;
  const sum = items.reduce((total, item) => total + BigInt(item.quantity) * BigInt(item.amount), 0n);
  if (sum !== BigInt(amount_centavos)) {
    violations.add('payment.amount', `Must equal the sum of the items, which is ${sum} centavos.`);
  }
}

function checkPixExpiry(violations: Violations, text: string | null, at: Date): Date {
  if (text === null) return new Date(at.getTime() + PIX_DEFAULT_MS);
  const expiresAt = new Date(text);
  const ahead_ms = expiresAt.getTime() - at.getTime();
  if (!(ahead_ms > 0)) violations.add('payment.pix.expires_at', 'Must be in the future.');
  if (ahead_ms > PIX_LONGEST_MS) violations.add('payment.pix.expires_at', 'Must be at most 30 days ahead.');
  return expiresAt;
}
