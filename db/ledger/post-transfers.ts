import { accountKind, recipientOf } from '../../domain/ledger/account.ts';
import { balanceChanges, type Posting } from '../../domain/ledger/posting.ts';
import type { SqlParams } from '../engine/sql.ts';

/** The recipient of a balance that is the merchant's own. */
export const NO_RECIPIENT = '00000000-0000-0000-0000-000000000000';

/** How many rows share a balance of one day. */
export const PARTS = 16;

/** Common table expressions that write to the ledger, and their parameters. */
export interface LedgerWrites {
  readonly expressions: readonly string[];
  readonly params: SqlParams;
}

/**
 * The writes of postings, as expressions of the statement that moves their payments. They read slot and merchant from
 * its expression `moved`, and so write nothing when it moves nothing. If it moves only some of the payments, the
 * balances are wrong, and the transaction must be undone. The rows of balances are locked in the order of their key, so
 * that two statements do not wait for each other.
 */
export function ledgerWrites(postings: readonly Posting[]): LedgerWrites {
  const transfers = transferRows(postings);
  if (transfers.length === 0) return { expressions: [], params: {} };
  const balances = balanceRows(postings);
  return {
    expressions: balances.length === 0 ? [TRANSFERS] : [TRANSFERS, BALANCES],
    params: {
      transfers: JSON.stringify(transfers),
      balances: JSON.stringify(balances),
      part: Number.parseInt(postings[0]!.paymentId.at(-1)!, 16) % PARTS,
    },
  };
}

const TRANSFERS = `transfers as (
  insert into ledger_transfers (slot, merchant_id, created_at, id, transaction_id, payment_id, kind, debit, credit,
    recipient_id, amount_centavos, available_on, reference)
  select m.slot, m.merchant_id, t.created_at, t.id, t.transaction_id, m.id, t.kind, t.debit, t.credit,
         t.recipient_id, t.amount_centavos, t.available_on, t.reference
    from moved m join jsonb_to_recordset(cast(:transfers as jsonb)) t (payment_id uuid, created_at timestamptz, id uuid,
      transaction_id uuid, kind text, debit text, credit text, recipient_id uuid, amount_centavos bigint,
      available_on date, reference text) on t.payment_id = m.id)`;

const BALANCES = `balances as (
  insert into ledger_balances (slot, merchant_id, account, recipient_id, available_on, part, balance_centavos)
  select m.slot, m.merchant_id, b.account, b.recipient_id, b.available_on, :part, b.change_centavos
    from (select slot, merchant_id from moved limit 1) m,
      jsonb_to_recordset(cast(:balances as jsonb)) b (account text, recipient_id uuid, available_on date,
      change_centavos bigint)
   order by b.account, b.recipient_id, b.available_on
  on conflict (slot, merchant_id, account, recipient_id, available_on, part)
  do update set balance_centavos = ledger_balances.balance_centavos + excluded.balance_centavos)`;

function transferRows(postings: readonly Posting[]) {
  return postings.flatMap(({ id: transactionId, paymentId, at, reference, transfers }) =>
    transfers.map(({ id, kind, debit, credit, amount_centavos, availableOn }) => ({
      payment_id: paymentId,
      created_at: at,
      id,
      transaction_id: transactionId,
      kind,
      debit: accountKind(debit),
      credit: accountKind(credit),
      recipient_id: recipientOf(debit) ?? recipientOf(credit),
      amount_centavos,
      available_on: availableOn,
      reference,
    })),
  );
}

function balanceRows(postings: readonly Posting[]) {
  return balanceChanges(postings.flatMap(({ transfers }) => transfers)).map(
    ({ account, availableOn, change_centavos }) => ({
      account: accountKind(account),
      recipient_id: recipientOf(account) ?? NO_RECIPIENT,
      available_on: availableOn,
      change_centavos,
    }),
  );
}
