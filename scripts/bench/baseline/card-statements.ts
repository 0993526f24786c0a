import { PAYMENT_COLUMNS } from './payments.ts';

export const FIND_CARD = {
  name: 'find_card',
  text: `select id, customer_id, holder, brand, first_6, last_4, exp_month, exp_year, number_sealed,
                (select code_sealed from card_security_codes s
                  where s.slot = c.slot and s.merchant_id = c.merchant_id and s.card_id = c.id and s.expires_at > $4)
                  as code_sealed
           from cards c where slot = $1 and merchant_id = $2 and id = $3 and deleted_at is null`,
};
export const LOCK_CARD = {
  name: 'lock_card',
  text: 'select id from cards where slot = $1 and merchant_id = $2 and id = $3 and deleted_at is null for share',
};
export const DELETE_CODE = {
  name: 'delete_code',
  text: 'delete from card_security_codes where slot = $1 and merchant_id = $2 and card_id = $3',
};
export const INSERT_CARD_PAYMENT = {
  name: 'insert_card_payment',
  text: `insert into payments (slot, merchant_id, id, hash, order_id, order_code, customer_id, status, method,
           amount_centavos, currency, installments, reference, mcc, details, metadata, history, created_at,
           updated_at, split)
         values ($1, $2, $3, $4, $5, $6, $7, 'processing', 'credit_card', $8, $9, $10, $11, $12, $13, $14, $15, $16,
           $16, $17)
         returning ${PAYMENT_COLUMNS}`,
};
export const MARK_CARD = {
  name: 'mark_card',
  text: `update cards set authorized_at = $4
          where slot = $1 and merchant_id = $2 and id = $3 and authorized_at is null`,
};
/** Authorizes and captures in one statement. The history gets both steps, as there is an event for each. */
export const CAPTURE_PAYMENT = {
  name: 'capture_payment',
  text: `update payments set details = $4, captured_centavos = amount_centavos, status = 'paid',
           fee_centavos = $7, captured_on = $8, split = $9, history = history || cast($5 as jsonb), updated_at = $6
          where slot = $1 and merchant_id = $2 and id = $3 and status = 'processing'
         returning ${PAYMENT_COLUMNS}`,
};
/** The ledger of a capture: what the acquirer owes, the fee, and the merchant's balance. */
export const POST_CAPTURE = {
  name: 'post_capture',
  text: `with posted as (
           insert into ledger_transfers (slot, merchant_id, created_at, id, transaction_id, payment_id, kind, debit,
             credit, amount_centavos, available_on, reference)
           values ($1, $2, $3, $4, $5, $6, 'capture', 'acquirer_receivable', 'merchant', $7, $8, $9),
             ($1, $2, $3, $10, $5, $6, 'fee', 'merchant', 'platform_fees', $11, $8, $9))
         insert into ledger_balances (slot, merchant_id, account, recipient_id, available_on, part, balance_centavos)
         values ($1, $2, 'merchant', '00000000-0000-0000-0000-000000000000', $8, $12, $13)
         on conflict (slot, merchant_id, account, recipient_id, available_on, part)
         do update set balance_centavos = ledger_balances.balance_centavos + excluded.balance_centavos`,
};
