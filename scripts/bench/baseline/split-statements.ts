export const LOCK_RECIPIENTS = {
  name: 'lock_recipients',
  text: `select id, number from recipients
          where slot = $1 and merchant_id = $2 and number = any($3) and status = 'approved' for share`,
};
/** The ledger of a capture that is split: a row for each transfer, and the balance of each party. */
export const POST_SPLIT = {
  name: 'post_split',
  text: `with posted as (
           insert into ledger_transfers (slot, merchant_id, created_at, transaction_id, payment_id, reference,
             available_on, id, kind, debit, credit, recipient_id, amount_centavos)
           select $1, $2, $3, $4, $5, $6, $7, t.*
             from unnest(cast($9 as uuid[]), cast($10 as text[]), cast($11 as text[]), cast($12 as text[]),
                    cast($13 as uuid[]), cast($14 as bigint[])) t)
         insert into ledger_balances (slot, merchant_id, account, recipient_id, available_on, part, balance_centavos)
         select $1, $2, b.account, b.recipient_id, $7, $8, b.change
           from unnest(cast($15 as text[]), cast($16 as uuid[]), cast($17 as bigint[])) b (account, recipient_id, change)
         on conflict (slot, merchant_id, account, recipient_id, available_on, part)
         do update set balance_centavos = ledger_balances.balance_centavos + excluded.balance_centavos`,
};
