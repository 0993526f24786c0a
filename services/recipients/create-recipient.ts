import type { Tx } from '../../db/engine/database.ts';
import { findRecipient, insertRecipient, lockNextRecipientNumber } from '../../db/recipients/recipients.ts';
import { normalizeAddress } from '../../domain/contact.ts';
import { publicHash } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Recipient, RecipientProfile } from '../../domain/recipients/recipient.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { Violations } from '../refusal.ts';
import { checkBankAccount, sealBankAccount } from './bank-account.ts';
import { checkProfile, type NewRecipient, refuseUnknownCountry } from './recipient-rules.ts';

/**
 * Creates a recipient with the id `id` and the merchant's next number. When a recipient with the e-mail (compared
 * without case) exists, nothing is created or changed, and `created` is false. Of simultaneous requests with one
 * e-mail, one creates the recipient. Refusals: fields, then `country_not_found`.
 */
export async function createRecipient<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewRecipient & { readonly id: string },
  finish: Finish<{ readonly recipient: Recipient; readonly created: boolean }, Answer>,
): Promise<Answer> {
  const { id, bankAccount, ...given } = input;
  const profile = newProfile(given);
  const violations = new Violations();
  checkProfile(violations, profile);
  if (bankAccount !== undefined) checkBankAccount(violations, bankAccount);
  violations.throwIfAny();
  refuseUnknownCountry(profile.address);

  const sealed = bankAccount === undefined ? null : sealBankAccount(deps, id, bankAccount);
  return deps.db.transaction(merchant, async (tx) => {
    const number = await lockNextRecipientNumber(tx, merchant);
    const at = now(deps, merchant);
    const hash = publicHash(merchant.slot, deps.random);
    const fresh = { ...profile, id, hash, number, bankAccount: null, createdAt: at, updatedAt: at };
    const added = await insertRecipient(tx, merchant, fresh, sealed);
    const recipient = added ?? (await existing(tx, merchant, id, profile.email));
    // Also true when an earlier run of this request created it.
    return finish(tx, { recipient, created: recipient.id === id });
  });
}

async function existing(tx: Tx, merchant: Merchant, id: string, email: string): Promise<Recipient> {
  const recipient =
    (await findRecipient(tx, merchant, { by: 'id', value: id })) ??
    (await findRecipient(tx, merchant, { by: 'email', value: email }));
  if (recipient === undefined) throw new Error('A recipient was neither added nor found.');
  return recipient;
}

function newProfile(input: Omit<NewRecipient, 'bankAccount'>): RecipientProfile {
  return {
    ...input,
    name: input.name ?? null,
    birthday: input.birthday ?? null,
    foundingDate: input.foundingDate ?? null,
    address: normalizeAddress(input.address),
    metadata: input.metadata ?? {},
  };
}
