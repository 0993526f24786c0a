import type { Tx } from '../../db/engine/database.ts';
import { isUniqueViolation } from '../../db/engine/unavailable.ts';
import {
  findRecipient,
  lockRecipient,
  type RecipientKey,
  type StoredBankAccount,
  updateRecipient as updateRow,
} from '../../db/recipients/recipients.ts';
import { type Address, normalizeAddress, type Phone } from '../../domain/contact.ts';
import { normalizeEmail } from '../../domain/email.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MetadataChanges } from '../../domain/metadata.ts';
import type { BankAccount, Recipient } from '../../domain/recipients/recipient.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { updatedMetadata } from '../metadata.ts';
import { invalid, notFound, Violations } from '../refusal.ts';
import { withKeysLoaded } from '../vault/vault.ts';
import { checkBankAccount, openBankAccount, sealBankAccount } from './bank-account.ts';
import { recipientKey } from './find-recipient.ts';
import { checkProfile, type NewRecipient, refuseUnknownCountry } from './recipient-rules.ts';

/** Any subset of the fields: address, phone, bank account and metadata are merged, the others replaced. */
export type RecipientChanges = Partial<
  Omit<NewRecipient, 'address' | 'phone' | 'bankAccount' | 'metadata'>
> & {
  readonly address?: Partial<Address>;
  readonly phone?: Partial<Phone>;
  readonly bankAccount?: Partial<BankAccount>;
  readonly metadata?: MetadataChanges;
};

const EMAIL_TAKEN = 'Another recipient has this e-mail address.';

/**
 * Changes a recipient while its row is locked, so that no concurrent change is lost. The merged record must satisfy the
 * rules of creation. Refusals: `not_found`; fields, `email` when another recipient has it; then `country_not_found`.
 */
export async function updateRecipient<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: { readonly identifier: string; readonly changes: RecipientChanges },
  finish: Finish<Recipient, Answer>,
): Promise<Answer> {
  const key = recipientKey(input.identifier);
  try {
    return await withKeysLoaded(deps.vault, () =>
      deps.db.transaction(merchant, async (tx) =>
        finish(tx, await changeRecipient({ deps, tx, merchant }, key, input.changes)),
      ),
    );
  } catch (error) {
    // Another recipient took the e-mail after it was looked up.
    throw isUniqueViolation(error) ? invalid({ email: EMAIL_TAKEN }) : error;
  }
}

async function changeRecipient(
  { deps, tx, merchant }: TransactionContext,
  key: RecipientKey,
  changes: RecipientChanges,
): Promise<Recipient> {
  const locked = await lockRecipient(tx, merchant, key);
  if (locked === undefined) throw notFound('Recipient');
  const violations = new Violations();
  const merged = mergeProfile(violations, locked.recipient, changes);
  checkProfile(violations, merged);
  const bankAccount = mergeBankAccount(deps, violations, locked, changes.bankAccount);
  if (await isTaken(tx, merchant, locked.recipient, merged.email)) violations.add('email', EMAIL_TAKEN);
  violations.throwIfAny();
  refuseUnknownCountry(merged.address);
  return updateRow(tx, merchant, { ...merged, updatedAt: now(deps, merchant) }, bankAccount);
}

function mergeProfile(violations: Violations, stored: Recipient, changes: RecipientChanges): Recipient {
  const { bankAccount: _, ...replaced } = changes;
  return {
    ...stored,
    ...replaced,
    phone: { ...stored.phone, ...changes.phone },
    address: normalizeAddress({ ...stored.address, ...changes.address }),
    metadata: updatedMetadata(violations, stored.metadata, changes.metadata),
  };
}

/**
 * The bank data to store: the stored data if nothing is sent, otherwise both merged. Null if the result is not valid.
 */
function mergeBankAccount(
  deps: Deps,
  violations: Violations,
  locked: { readonly recipient: Recipient; readonly sealedBankAccount: Buffer | null },
  changes: Partial<BankAccount> | undefined,
): StoredBankAccount | null {
  const { recipient, sealedBankAccount: sealed } = locked;
  if (changes === undefined) return sealed && { ...recipient.bankAccount!, sealed };
  const stored = sealed && openBankAccount(deps, recipient.id, sealed);
  const merged: Partial<BankAccount> = { ...stored, ...changes };
  return checkBankAccount(violations, merged) ? sealBankAccount(deps, recipient.id, merged) : null;
}

async function isTaken(tx: Tx, merchant: Merchant, stored: Recipient, email: string): Promise<boolean> {
  if (normalizeEmail(email) === normalizeEmail(stored.email)) return false;
  return (await findRecipient(tx, merchant, { by: 'email', value: email })) !== undefined;
}
