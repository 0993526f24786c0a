import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Tx } from '../engine/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-row.ts';

/** Payments that were captured before there was a ledger. The index `payments_without_entries` has only these. */
const WITHOUT_ENTRIES = 'captured_centavos > 0 and captured_on is null';

/** Slots with such payments. */
export async function slotsWithoutEntries(db: Database): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct slot from payments where ${WITHOUT_ENTRIES}`,
  );
  return rows.map((row) => row.slot);
}

/** Merchants of one slot with such payments. */
export async function merchantsWithoutEntries(
  db: Database,
  slot: number,
  claim: Claim,
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select distinct merchant_id from payments where {slot} and ${WITHOUT_ENTRIES} and ${claimCondition()}
      limit :limit`,
    claimParams(claim),
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/** Locks at most `limit` such payments of one merchant. Skips rows that another transaction holds. */
export async function lockPaymentsWithoutEntries(
  tx: Tx,
  scope: MerchantScope,
  limit: number,
): Promise<Payment[]> {
  const rows = await tx.rows<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments where {scope} and ${WITHOUT_ENTRIES}
      order by id limit :limit for update skip locked`,
    { limit },
  );
  return rows.map(toPayment);
}
