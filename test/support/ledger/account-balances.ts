import type { Account } from '../../../domain/ledger/account.ts';
import type { Transfer } from '../../../domain/ledger/transfers.ts';

/** What each account holds after some transfers: credits less debits, also by day of availability (`account day`). */
export interface Balances {
  readonly total: ReadonlyMap<string, number>;
  readonly byDay: ReadonlyMap<string, number>;
}

export function balancesOf(transfers: readonly Transfer[]): Balances {
  const total = new Map<string, number>();
  const byDay = new Map<string, number>();
  const add = (account: Account, day: string, centavos: number) => {
    addTo(total, account, centavos);
    addTo(byDay, `${account} ${day}`, centavos);
  };
  for (const { debit, credit, amount_centavos, availableOn } of transfers) {
    add(debit, availableOn, -amount_centavos);
    add(credit, availableOn, amount_centavos);
  }
  return { total, byDay };
}

/** A balance of 0 is no entry, so that balances can be compared. */
function addTo(balances: Map<string, number>, key: string, centavos: number): void {
  const balance = (balances.get(key) ?? 0) + centavos;
  if (balance === 0) balances.delete(key);
  else balances.set(key, balance);
}
