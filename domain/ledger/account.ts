/**
 * The accounts of a merchant's ledger. What the acquirer owes is a debit balance; what we owe to the merchant and to
 * its recipients, our fees, and the money that open disputes hold back are credit balances. All of them sum to zero.
 */
export type Account = PartyAccount | 'acquirer_receivable' | 'platform_fees' | 'disputes';

/** The account of a party that receives a share of payments. */
export type PartyAccount = 'merchant' | `recipient:${string}`;

const RECIPIENT = 'recipient:';

/** The account of a recipient, by its id. */
export function recipientAccount(recipientId: string): PartyAccount {
  return `${RECIPIENT}${recipientId}`;
}

/** The recipient whose account it is; null for the other accounts. */
export function recipientOf(account: Account): string | null {
  return account.startsWith(RECIPIENT) ? account.slice(RECIPIENT.length) : null;
}

/** The kind of an account, with one kind for all recipients. */
export type AccountKind = Exclude<Account, `recipient:${string}`> | 'recipient';

export function accountKind(account: Account): AccountKind {
  return recipientOf(account) === null ? (account as AccountKind) : 'recipient';
}
