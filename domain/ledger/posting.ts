import { type Account, recipientOf } from './account.ts';
import type { Transfer } from './transfers.ts';

/** The transfers of one move of a payment, as they are written to the ledger. */
export interface Posting {
  /** The transaction of all its entries. */
  readonly id: string;
  readonly paymentId: string;
  /** The payment or the refund, as the acquirer's settlement file names it. */
  readonly reference: string;
  /** Merchant's time. */
  readonly at: Date;
  readonly transfers: readonly (Transfer & { readonly id: string })[];
}

/** A change of the balance of the merchant or a recipient that becomes available on one day. */
export interface BalanceChange {
  readonly account: Account;
  readonly availableOn: string;
  readonly change_centavos: number;
}

/**
 * How transfers change the balances of parties, summed by account and day, without those that do not change. Sorted, so
 * that all writers lock the rows of balances in one order.
 */
export function balanceChanges(transfers: readonly Transfer[]): BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  const add = (account: Account, availableOn: string, centavos: number) => {
    if (!isParty(account)) return;
    const key = `${account} ${availableOn}`;
    const change_centavos = (changes.get(key)?.change_centavos ?? 0) + centavos;
    changes.set(key, { account, availableOn, change_centavos });
  };
  for (const { debit, credit, amount_centavos, availableOn } of transfers) {
    add(debit, availableOn, -amount_centavos);
    add(credit, availableOn, amount_centavos);
  }
  return [...changes.keys()]
    .sort()
    .map((key) => changes.get(key)!)
    .filter(({ change_centavos }) => change_centavos !== 0);
}

function isParty(account: Account): boolean {
  return account === 'merchant' || recipientOf(account) !== null;
}
