import {
  type CustomerKey,
  findCustomer,
  lockCustomer,
  updateCustomer as updateRow,
} from '../../db/customers/customers.ts';
import type { Tx } from '../../db/engine/database.ts';
import { isUniqueViolation } from '../../db/engine/unavailable.ts';
import { normalizeAddress } from '../../domain/contact.ts';
import type { Customer } from '../../domain/customers/customer.ts';
import { normalizeEmail } from '../../domain/email.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MetadataChanges } from '../../domain/metadata.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { updatedMetadata } from '../metadata.ts';
import { invalid, notFound, Violations } from '../refusal.ts';
import { checkCustomer, EMAIL_TAKEN, type NewCustomer } from './customer-rules.ts';
import { customerKey } from './find-customer.ts';

/**
 * Any subset of the fields. Lists and the phone are replaced, metadata is merged. After a change of more than metadata,
 * what a buyer has typed counts as the merchant's.
 */
export type CustomerChanges = Partial<Omit<NewCustomer, 'metadata' | 'isTypedByBuyer'>> & {
  readonly metadata?: MetadataChanges;
};

/**
 * Changes a customer while its row is locked, so that no concurrent change is lost. Refusals: those of
 * `findCustomerByIdentifier`; fields as at creation, and `metadata` when too many keys would remain.
 */
export async function updateCustomer<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: { readonly identifier: string; readonly changes: CustomerChanges },
  finish: Finish<Customer, Answer>,
): Promise<Answer> {
  const key = customerKey(input.identifier);
  try {
    return await deps.db.transaction(merchant, async (tx) =>
      finish(tx, await changeCustomer({ deps, tx, merchant }, key, input.changes)),
    );
  } catch (error) {
    // Another customer took the e-mail after it was looked up.
    throw isUniqueViolation(error) ? invalid({ email: EMAIL_TAKEN }) : error;
  }
}

async function changeCustomer(
  { deps, tx, merchant }: TransactionContext,
  key: CustomerKey,
  { metadata, ...changes }: CustomerChanges,
): Promise<Customer> {
  const stored = await lockCustomer(tx, merchant, key);
  if (stored === undefined) throw notFound('Customer');
  const violations = new Violations();
  checkCustomer(violations, changes);
  const merged = updatedMetadata(violations, stored.metadata, metadata);
  if (await isTaken(tx, merchant, stored, changes.email)) violations.add('email', EMAIL_TAKEN);
  violations.throwIfAny();
  return updateRow(tx, merchant, {
    ...stored,
    ...changes,
    addresses: changes.addresses === undefined ? stored.addresses : changes.addresses.map(normalizeAddress),
    metadata: merged,
    isTypedByBuyer: stored.isTypedByBuyer && Object.keys(changes).length === 0,
    updatedAt: now(deps, merchant),
  });
}

async function isTaken(
  tx: Tx,
  merchant: Merchant,
  stored: Customer,
  email: string | undefined,
): Promise<boolean> {
  if (email === undefined || normalizeEmail(email) === normalizeEmail(stored.email)) return false;
  return (await findCustomer(tx, merchant, { by: 'email', value: email })) !== undefined;
}
