import { findCustomer, insertCustomer, lockCustomer, updateCustomer } from '../../db/customers/customers.ts';
import { normalizeAddress } from '../../domain/contact.ts';
import type { Customer } from '../../domain/customers/customer.ts';
import { publicHash } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { invalid, Violations } from '../refusal.ts';
import { checkCustomer, EMAIL_TAKEN, type NewCustomer } from './customer-rules.ts';

/**
 * Creates a customer with the id `id`. When the id exists, the request is a repetition, and the result is that
 * customer. A customer that a buyer typed gets the data, and keeps its own id. Refusals: documents, countries, and an
 * `email` that another customer has.
 */
export function createCustomer<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewCustomer & { readonly id: string },
  finish: Finish<Customer, Answer>,
): Promise<Answer> {
  const violations = new Violations();
  checkCustomer(violations, input);
  return deps.db.transaction(merchant, async (tx) => {
    if (violations.any) {
      const stored = await findCustomer(tx, merchant, { by: 'email', value: input.email });
      if (stored?.isTypedByBuyer === false) violations.add('email', EMAIL_TAKEN);
      violations.throwIfAny();
    }
    const customer =
      (await addCustomer({ deps, tx, merchant }, input.id, input)) ??
      (await findCustomer(tx, merchant, { by: 'id', value: input.id })) ??
      (await replaceTypedCustomer({ deps, tx, merchant }, input));
    if (customer === undefined) throw invalid({ email: EMAIL_TAKEN });
    return finish(tx, customer);
  });
}

/** Adds the row. Returns undefined when its id or e-mail exists. */
export function addCustomer(
  { deps, tx, merchant }: TransactionContext,
  id: string,
  input: NewCustomer,
): Promise<Customer | undefined> {
  const at = now(deps, merchant);
  return insertCustomer(tx, merchant, {
    id,
    hash: publicHash(merchant.slot, deps.random),
    ...fieldsOf(input),
    createdAt: at,
    updatedAt: at,
  });
}

/**
 * Replaces what a buyer typed by what the merchant sends. Returns undefined when no customer with this e-mail has data
 * of a buyer.
 */
export async function replaceTypedCustomer(
  { deps, tx, merchant }: TransactionContext,
  input: NewCustomer,
): Promise<Customer | undefined> {
  const typed = await lockCustomer(tx, merchant, { by: 'email', value: input.email });
  if (!typed?.isTypedByBuyer) return undefined;
  // Only the merchant can have written metadata.
  const metadata = input.metadata ?? typed.metadata;
  const updatedAt = now(deps, merchant);
  return updateCustomer(tx, merchant, { ...typed, ...fieldsOf(input), metadata, updatedAt });
}

function fieldsOf(input: NewCustomer) {
  return {
    name: input.name,
    email: input.email,
    documents: input.documents ?? [],
    addresses: (input.addresses ?? []).map(normalizeAddress),
    phone: input.phone ?? null,
    metadata: input.metadata ?? {},
    isTypedByBuyer: input.isTypedByBuyer ?? false,
  };
}
