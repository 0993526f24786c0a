import { PAYMENT_COLUMNS } from './payments.ts';

export const INSERT_ORDER = {
  name: 'insert_order',
  text: `insert into orders (slot, merchant_id, id, code, customer_id, mcc, amount_centavos, description,
           notification_url, items, metadata, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (slot, merchant_id, code) do nothing`,
};
export const INSERT_PAYMENT = {
  name: 'insert_payment',
  text: `insert into payments (slot, merchant_id, id, hash, order_id, order_code, customer_id, status, method,
           amount_centavos, currency, installments, reference, mcc, details, metadata, history, created_at,
           updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, 'processing', 'pix', $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
         returning ${PAYMENT_COLUMNS}`,
};
export const INSERT_OPERATION = {
  name: 'insert_operation',
  text: `insert into payment_operations (slot, merchant_id, id, payment_id, payment_amount_centavos, refund_id, kind,
           amount_centavos, reference, state, check_at, created_at)
         values ($1, $2, $3, $4, $5, null, $9, $5, $6, 'pending', $7, $8)
         on conflict do nothing
         returning slot, merchant_id, id, payment_id, refund_id, kind, amount_centavos, reference, state,
           refusal_code, attempts, created_at`,
};
export const INSERT_EVENT = {
  name: 'insert_event',
  text: `with event as (
           insert into events (slot, merchant_id, id, event, object_id, payment_id, data, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           returning slot, merchant_id, id)
         insert into event_outbox (slot, merchant_id, event_id) select slot, merchant_id, id from event`,
};
export const LOCK_PAYMENT = {
  name: 'lock_payment',
  text: `select ${PAYMENT_COLUMNS} from payments where slot = $1 and merchant_id = $2 and id = $3 for update`,
};
export const SETTLE_OPERATION = {
  name: 'settle_operation',
  text: `with settled as (
           update payment_operations set state = 'approved', refusal_code = null, settled_at = $4, check_at = null
            where slot = $1 and merchant_id = $2 and id = $3 and state = 'pending'
           returning slot, merchant_id, id, state, settled_at)
         insert into payment_operation_results (slot, merchant_id, operation_id, state, settled_at)
         select slot, merchant_id, id, state, settled_at from settled`,
};
export const SHOW_QR = {
  name: 'show_qr',
  text: `update payments set details = $4, due_at = $5, status = 'waiting_payment',
           history = history || cast($6 as jsonb), updated_at = $7
          where slot = $1 and merchant_id = $2 and id = $3 and status = 'processing'
         returning ${PAYMENT_COLUMNS}`,
};
