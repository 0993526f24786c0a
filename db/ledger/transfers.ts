import { type Account, type AccountKind, recipientAccount } from '../../domain/ledger/account.ts';
import type { StoredTransfer } from '../../domain/ledger/entry.ts';
import type { TransferKind } from '../../domain/ledger/transfers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';
import { type Condition, defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

interface TransferRow {
  id: string;
  transaction_id: string;
  payment_id: string;
  kind: TransferKind;
  debit: AccountKind;
  credit: AccountKind;
  recipient_id: string | null;
  amount_centavos: number;
  available_on: string;
  created_at: Date;
}

export interface TransferFilter {
  readonly paymentId?: string | undefined;
  readonly recipientId?: string | undefined;
  /** Either side is an account of this kind. */
  readonly account?: AccountKind | undefined;
}

/** A filter by account is one of these, because the indexes of rare accounts need the name in the statement. */
type ListFilter = Omit<TransferFilter, 'account'> & { readonly [Kind in AccountKind]?: true | undefined };

const either =
  (kind: AccountKind): Condition =>
  (query) =>
    query.whereRaw(`'${kind}' in (debit, credit)`);

const TRANSFERS = defineList<TransferRow, ListFilter>({
  columns:
    'id, transaction_id, payment_id, kind, debit, credit, recipient_id, amount_centavos, available_on, created_at',
  from: 'ledger_transfers',
  filters: {
    paymentId: equals('payment_id'),
    recipientId: equals('recipient_id'),
    merchant: either('merchant'),
    recipient: (query) => query.whereRaw('recipient_id is not null'),
    acquirer_receivable: either('acquirer_receivable'),
    platform_fees: either('platform_fees'),
    disputes: either('disputes'),
  },
});

/** Transfers of the merchant, newest first. */
export async function listTransfers(
  q: Queryable,
  scope: MerchantScope,
  { account, ...filter }: TransferFilter,
  page: PageRequest,
): Promise<Page<StoredTransfer>> {
  const listed: ListFilter = account === undefined ? filter : { ...filter, [account]: true };
  return mapPage(await fetchPage(q, scope, TRANSFERS, listed, page), toTransfer);
}

function toTransfer(row: TransferRow): StoredTransfer {
  const account = (kind: AccountKind): Account =>
    kind === 'recipient' ? recipientAccount(row.recipient_id!) : kind;
  return {
    id: row.id,
    transactionId: row.transaction_id,
    paymentId: row.payment_id,
    kind: row.kind,
    debit: account(row.debit),
    credit: account(row.credit),
    amount_centavos: row.amount_centavos,
    availableOn: row.available_on,
    createdAt: row.created_at,
  };
}
