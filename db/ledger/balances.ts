import type { Balance } from '../../domain/ledger/balance.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Database, Queryable } from '../engine/database.ts';
import { NO_RECIPIENT } from './post-transfers.ts';

/** The balance of a recipient, or of the merchant (`recipientId` null), on a merchant's day. */
export async function readBalance(
  q: Queryable,
  scope: MerchantScope,
  { recipientId, today }: { readonly recipientId: string | null; readonly today: string },
): Promise<Balance> {
  return q.one<Balance>(
    scope,
    `select cast(coalesce(sum(balance_centavos) filter (where available_on <= :today), 0) as bigint)
              as available_centavos,
            cast(coalesce(sum(balance_centavos) filter (where available_on > :today), 0) as bigint)
              as pending_centavos
       from ledger_balances where {scope} and account = :account and recipient_id = :recipient_id`,
    {
      today,
      account: recipientId === null ? 'merchant' : 'recipient',
      recipient_id: recipientId ?? NO_RECIPIENT,
    },
  );
}

/** The day of the rows into which past days are folded. */
const FOLDED = "date '0001-01-01'";

/**
 * Folds at most `limit` rows of days before `before` (a merchant's day) in one slot: adds them to the one row that each
 * account has for past days. Skips rows that a payment is changing: waiting for them while holding others could
 * deadlock. Returns the merchant of each folded row.
 */
export async function foldBalances(
  db: Database,
  slot: number,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `with past as materialized (
       select slot, merchant_id, account, recipient_id, available_on, part from ledger_balances
        where {slot} and available_on > ${FOLDED} and available_on < :before
        limit :limit for update skip locked),
     folded as (
       delete from ledger_balances b using past
        where {slot:b} and b.merchant_id = past.merchant_id and b.account = past.account
          and b.recipient_id = past.recipient_id and b.available_on = past.available_on and b.part = past.part
       returning b.slot, b.merchant_id, b.account, b.recipient_id, b.balance_centavos),
     added as (
       insert into ledger_balances as b
         (slot, merchant_id, account, recipient_id, available_on, part, balance_centavos)
       select slot, merchant_id, account, recipient_id, ${FOLDED}, 0, sum(balance_centavos)
         from folded group by slot, merchant_id, account, recipient_id
        order by merchant_id, account, recipient_id
       on conflict (slot, merchant_id, account, recipient_id, available_on, part)
       do update set balance_centavos = b.balance_centavos + excluded.balance_centavos)
     select merchant_id from folded`,
    { before, limit },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}
