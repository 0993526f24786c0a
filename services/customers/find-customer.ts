import { type CustomerKey, findCustomer } from '../../db/customers/customers.ts';
import type { Customer } from '../../domain/customers/customer.ts';
import { isEmail } from '../../domain/email.ts';
import { isPublicHash, isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notFound, Refusal } from '../refusal.ts';

const MAX_CHARACTERS = 191;
const CONTROL = /\p{Cc}/u;

/**
 * The customer with this UUID (either case), hash or e-mail. Refusals: `invalid_identifier` for a text that is none of
 * these, `not_found` when the merchant has no such customer.
 */
export async function findCustomerByIdentifier(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  identifier: string,
): Promise<Customer> {
  const customer = await findCustomer(deps.db.lookUp, merchant, customerKey(identifier));
  if (customer === undefined) throw notFound('Customer');
  return customer;
}

/** How to look an identifier up (contract row 3.3). Refusals: as `findCustomerByIdentifier`. */
export function customerKey(identifier: string): CustomerKey {
  if (identifier === '' || CONTROL.test(identifier) || [...identifier].length > MAX_CHARACTERS) {
    throw new Refusal('invalid_identifier', { message: 'The identifier is invalid.' });
  }
  if (isUuid(identifier)) return { by: 'id', value: normalizeUuid(identifier) };
  if (isEmail(identifier)) return { by: 'email', value: identifier };
  if (isPublicHash(identifier)) return { by: 'hash', value: identifier };
  throw notFound('Customer');
}
