import { type Account, type AccountKind, accountKind, recipientOf } from './account.ts';
import type { Transfer, TransferKind } from './transfers.ts';

/** One side of a transfer: money taken from an account (debit) or given to it (credit). */
export interface LedgerEntry {
  readonly id: string;
  /** Shared by all entries of one move of a payment. */
  readonly transactionId: string;
  readonly paymentId: string;
  readonly account: AccountKind;
  /** The recipient, for an account of one. */
  readonly recipientId: string | null;
  readonly kind: TransferKind;
  readonly direction: 'debit' | 'credit';
  readonly amount_centavos: number;
  /** Merchant's day. */
  readonly availableOn: string;
  readonly createdAt: Date;
}

/** A transfer as the ledger holds it. */
export interface StoredTransfer extends Transfer {
  /** As `debitEntryId` makes it. */
  readonly id: string;
  readonly transactionId: string;
  readonly paymentId: string;
  readonly createdAt: Date;
}

/** Makes the last hex digit of a UUID even: the id of a transfer, and of its debit. The credit has the next id. */
export function debitEntryId(uuid: string): string {
  const last = Number.parseInt(uuid.at(-1)!, 16);
  return `${uuid.slice(0, -1)}${(last - (last % 2)).toString(16)}`;
}

function creditEntryId(transferId: string): string {
  return `${transferId.slice(0, -1)}${(Number.parseInt(transferId.at(-1)!, 16) + 1).toString(16)}`;
}

/** The two entries of a transfer, in the order of a list: the newest id first. */
export function entriesOf(transfer: StoredTransfer): LedgerEntry[] {
  const { id, debit, credit, transactionId, paymentId, kind, amount_centavos, availableOn, createdAt } =
    transfer;
  const entry = (entryId: string, account: Account, direction: LedgerEntry['direction']): LedgerEntry => ({
    id: entryId,
    transactionId,
    paymentId,
    account: accountKind(account),
    recipientId: recipientOf(account),
    kind,
    direction,
    amount_centavos,
    availableOn,
    createdAt,
  });
  return [entry(creditEntryId(id), credit, 'credit'), entry(id, debit, 'debit')];
}
