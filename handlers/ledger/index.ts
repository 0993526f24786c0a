import { getBalance } from './get-balance.ts';
import { getRecipientBalance } from './get-recipient-balance.ts';
import { listLedgerEntries } from './list-ledger-entries.ts';

export const ledger = { getBalance, getRecipientBalance, listLedgerEntries };
