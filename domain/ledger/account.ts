/**
 * The accounts of a merchant's ledger. What the acquirer owes is a debit balance; what we owe to the merchant and to its
 * recipients, our fees, and the money that open disputes hold back are credit balances. All of them sum to zero.
 */
export type Account = PartyAccount | 'acquirer_receivable' | 'platform_fees' | 'disputes';

/** The account of a party that receives a share of payments. */
export type PartyAccount = 'merchant' | `recipient:${string}`;

/** The account of a recipient, by its id. */
export function recipientAccount(recipientId: string): PartyAccount {
  return `recipient:${recipientId}`;
}
