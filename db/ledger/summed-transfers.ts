import type { SummedTransfers } from '../../domain/ledger/settlement-postings.ts';
import type { TransferKind } from '../../domain/ledger/transfers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';

interface SummedRow {
  transaction_id: string;
  payment_id: string;
  reference: string;
  kind: TransferKind;
  amount_centavos: number;
  at: Date;
}

/** 1 in the direction of a capture, of a refund and of a new dispute; -1 in the other. */
const DIRECTION = `case
  when kind = 'capture' and debit = 'acquirer_receivable' then 1
  when kind = 'refund' and credit = 'acquirer_receivable' then 1
  when kind = 'dispute' and credit = 'disputes' then 1
  else -1 end`;

/**
 * All transfers of the payments that have one in a time range (merchant's time, without its end) or with a reference of
 * the list, the oldest first. A denied refund has no transfer, so its payment is found by the refund.
 */
export async function summedTransfers(
  q: Queryable,
  scope: MerchantScope,
  range: { readonly from: Date; readonly before: Date; readonly references: readonly string[] },
): Promise<SummedTransfers[]> {
  const rows = await q.rows<SummedRow>(
    scope,
    `select transaction_id, payment_id, reference, kind, min(created_at) as at,
            cast(sum(${DIRECTION} * amount_centavos) as bigint) as amount_centavos
       from ledger_transfers
      where {scope} and kind in ('capture', 'refund', 'dispute')
        and payment_id in (
          select payment_id from ledger_transfers
           where {scope} and ((created_at >= :from and created_at < :before) or reference = any(:references))
          union
          select payment_id from refunds
           where {scope} and status = 'denied' and updated_at >= :from and updated_at < :before
          union
          select payment_id from refunds where {scope} and status = 'denied' and reference = any(:references))
      group by transaction_id, payment_id, reference, kind
      order by min(created_at), transaction_id, kind`,
    range,
  );
  return rows.map((row) => ({
    transactionId: row.transaction_id,
    paymentId: row.payment_id,
    reference: row.reference,
    kind: row.kind,
    amount_centavos: row.amount_centavos,
    at: row.at,
  }));
}
