import type { StoredBankAccount } from '../../db/recipients/recipients.ts';
import type { BankAccount } from '../../domain/recipients/recipient.ts';
import type { Deps } from '../deps.ts';
import type { Violations } from '../refusal.ts';

/** What creation requires, with the names under which a caller sends it. */
const REQUIRED: readonly (readonly [keyof BankAccount, string])[] = [
  ['bankIspb', 'bank_ispb'],
  ['holderName', 'holder_name'],
  ['branchNumber', 'branch_number'],
  ['accountNumber', 'account_number'],
  ['accountCheckDigit', 'account_check_digit'],
  ['status', 'status'],
  ['receiverType', 'receiver_type'],
];

/** The field and row that a sealed bank account is bound to in the vault. */
export function bankAccountContext(recipientId: string): string {
  return `recipients.bank_account_sealed:${recipientId}`;
}

/** The account as it is stored: sealed as a whole for its recipient, beside what answers show. */
export function sealBankAccount(deps: Deps, recipientId: string, account: BankAccount): StoredBankAccount {
  return {
    sealed: deps.vault.seal(JSON.stringify(account), bankAccountContext(recipientId)),
    bankIspb: account.bankIspb,
    accountLast4: account.accountNumber.slice(-4),
  };
}

/** Throws `KeyNotLoaded`, as `Vault.openLoaded`. */
export function openBankAccount(deps: Deps, recipientId: string, sealed: Buffer): BankAccount {
  const plain = deps.vault.openLoaded(sealed, bankAccountContext(recipientId));
  return JSON.parse(plain.toString('utf8')) as BankAccount;
}

/** Adds what a merged account still lacks; when nothing is added it is whole. */
export function checkBankAccount(
  violations: Violations,
  account: Partial<BankAccount>,
): account is BankAccount {
  const missing = REQUIRED.filter(([field]) => account[field] === undefined).map(([, name]) => name);
  if (account.pixKey !== undefined && account.pixKeyType === undefined) missing.push('pix_key_type');
  for (const name of missing) violations.add(`bank_account.${name}`, 'This field is required.');
  return missing.length === 0;
}
