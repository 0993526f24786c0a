import type { StoredBankAccount } from '../../db/recipients/recipients.ts';
import type { BankAccount } from '../../domain/recipients/recipient.ts';
import type { Deps } from '../deps.ts';
import type { Violations } from '../refusal.ts';
import { KeyNotLoaded, Unreadable } from '../vault/vault.ts';

/** The fields that a bank account must have. */
const REQUIRED = [
  'bankIspb',
  'holderName',
  'branchNumber',
  'accountNumber',
  'accountCheckDigit',
  'status',
  'receiverType',
] as const satisfies readonly (keyof BankAccount)[];

/** The vault context of a bank account. */
export function bankAccountContext(recipientId: string): string {
  return `recipients.bank_account_sealed:${recipientId}`;
}

/** The account as it is stored: sealed, with the parts that answers show. */
export function sealBankAccount(deps: Deps, recipientId: string, account: BankAccount): StoredBankAccount {
  return {
    sealed: deps.vault.seal(JSON.stringify(account), bankAccountContext(recipientId)),
    bankIspb: account.bankIspb,
    accountLast4: account.accountNumber.slice(-4),
  };
}

/**
 * Opens a sealed bank account. Null if it cannot be read any more, because a key of the vault was lost: the merchant
 * then has to send all of it. Throws `KeyNotLoaded` as `Vault.openLoaded` does.
 */
export function openBankAccount(deps: Deps, recipientId: string, sealed: Buffer): BankAccount | null {
  try {
    const plain = deps.vault.openLoaded(sealed, bankAccountContext(recipientId));
    return JSON.parse(plain.toString('utf8')) as BankAccount;
  } catch (error) {
    if (error instanceof KeyNotLoaded || !(error instanceof Unreadable)) throw error;
    deps.log.error(
      { recipient_id: recipientId, err: error },
      'the bank account of a recipient cannot be read',
    );
    return null;
  }
}

/** Adds a violation for each missing field. Returns whether the account is complete. */
export function checkBankAccount(
  violations: Violations,
  account: Partial<BankAccount>,
): account is BankAccount {
  const missing: (keyof BankAccount)[] = REQUIRED.filter((field) => account[field] === undefined);
  if (account.pixKey !== undefined && account.pixKeyType === undefined) missing.push('pixKeyType');
  for (const field of missing) violations.add(`bankAccount.${field}`, 'This field is required.');
  return missing.length === 0;
}
