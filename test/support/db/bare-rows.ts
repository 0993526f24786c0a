import type { Client } from 'pg';
import type { Database } from '../../../db/engine/database.ts';
import type { MerchantScope } from '../../../domain/scope.ts';

/** Two merchants of one slot: only the merchant's id is between them. */
export const OURS: MerchantScope = { slot: 7, merchantId: '00000000-0000-7000-8000-000000000001' };
export const THEIRS: MerchantScope = { slot: 7, merchantId: '00000000-0000-7000-8000-000000000002' };

export async function insertTwoMerchants(db: Database): Promise<void> {
  for (const { slot, merchantId } of [OURS, THEIRS]) {
    await db.anywhere(
      `insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
                              encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
       values (:slot, :merchant_id, 'M', 'M', 'approved', 'standard', '{5734}', '{pix}', '', '', '{}', now(), now())`,
      { slot, merchant_id: merchantId },
    );
  }
}

/**
 * A merchant with two customers, `buyer` and `other`, each with a card in that name. Rows only: encrypted values cannot
 * be decrypted.
 */
export async function insertBareMerchant(client: Client): Promise<void> {
  await client.query(`
    insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
                           encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
    values (7, gen_random_uuid(), 'a', 'a', 'approved', 'standard', '{5734}', '{credit_card}', 'a', 'a', '{}',
            now(), now());
    insert into customers (slot, merchant_id, id, hash, name, email, email_key, created_at, updated_at)
    select slot, merchant_id, gen_random_uuid(), n, n, n, n, now(), now()
      from merchants, unnest('{buyer,other}'::text[]) n;
    insert into cards (slot, merchant_id, id, customer_id, holder, brand, first_6, last_4, exp_month, exp_year,
                       number_sealed, fingerprint, created_at, updated_at)
    select slot, merchant_id, gen_random_uuid(), id, name, 'visa', '424242', '4242', '12', '30', 'a', 'a', now(), now()
      from customers`);
}

export interface BarePayment {
  readonly status?: string;
  readonly captured?: number;
  readonly refunded?: number;
  readonly refunding?: number;
  /** Makes it a Pix. */
  readonly txid?: string;
  /** Name of the customer whose card it is. */
  readonly holder?: string;
  /** SQL expressions for columns, in place of their values. */
  readonly columns?: Readonly<Record<string, string>>;
}

type Columns = Readonly<Record<string, string>>;

const CARD: Columns = {
  method: `'credit_card'`,
  details: `jsonb_build_object('cardId', d.id, 'brand', d.brand, 'first6', d.first_6, 'last4', d.last_4)`,
};
const pix = (txid: string): Columns => ({
  method: `'pix'`,
  details: `jsonb_build_object('txid', '${txid}', 'expiresAt', now())`,
});

/** Before migration 021. */
const OLD_CARD: Columns = {
  method: `'credit_card'`,
  card_id: 'd.id',
  card_brand: 'd.brand',
  card_first_6: 'd.first_6',
  card_last_4: 'd.last_4',
};
const oldPix = (txid: string): Columns => ({
  method: `'pix'`,
  pix_txid: `'${txid}'`,
  pix_expires_at: 'now()',
});

/** Inserts a payment of 100 centavos by the customer `buyer`, with its order. Resolves to its id. */
export function insertBarePayment(client: Client, payment: BarePayment = {}): Promise<string> {
  return insertPaymentBy(client, payment, payment.txid === undefined ? CARD : pix(payment.txid));
}

/** The same before a payment had its details in one column. */
export function insertOldPayment(client: Client, payment: BarePayment = {}): Promise<string> {
  return insertPaymentBy(client, payment, payment.txid === undefined ? OLD_CARD : oldPix(payment.txid));
}

async function insertPaymentBy(client: Client, payment: BarePayment, method: Columns): Promise<string> {
  const { status = 'processing', captured = 0, refunded = 0, refunding = 0, holder = 'buyer' } = payment;
  const isRefused = status === 'refused';
  const columns: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    hash: 'gen_random_uuid()',
    order_id: 'o.id',
    customer_id: 'c.id',
    status: `'${status}'`,
    amount_centavos: '100',
    captured_centavos: `${captured}`,
    refunded_centavos: `${refunded}`,
    refunding_centavos: `${refunding}`,
    reference: 'gen_random_uuid()',
    mcc: `'5734'`,
    refusal_code: isRefused ? `'do_not_honor'` : 'null',
    refusal_message: isRefused ? `'No.'` : 'null',
    refusal_retryable: isRefused ? 'true' : 'null',
    history: `jsonb_build_array(jsonb_build_object('status', '${status}'))`,
    created_at: 'now()',
    updated_at: 'now()',
    ...method,
    ...payment.columns,
  };
  const { rows } = await client.query<{ id: string }>(
    `with o as (
       insert into orders (slot, merchant_id, id, code, customer_id, mcc, amount_centavos, created_at)
       select slot, merchant_id, gen_random_uuid(), gen_random_uuid(), id, '5734', 100, now()
         from customers where name = 'buyer'
       returning slot, merchant_id, id)
     insert into payments (slot, merchant_id, ${Object.keys(columns).join(', ')})
     select c.slot, c.merchant_id, ${Object.values(columns).join(', ')}
       from customers c join cards d using (slot, merchant_id) join o using (slot, merchant_id)
      where c.name = 'buyer' and d.holder = $1
     returning id`,
    [holder],
  );
  return rows[0]!.id;
}

export interface BareOperation {
  readonly kind: string;
  readonly state?: 'pending' | 'approved' | 'refused';
  readonly amount?: number;
  /** SQL expressions for columns, in place of their values. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** An operation of a payment, without a result; resolves to its id. */
export async function insertBareOperation(
  client: Client,
  paymentId: string,
  operation: BareOperation,
): Promise<string> {
  const columns = { payment_amount_centavos: 'amount_centavos', ...operation.columns };
  return insertOldOperation(client, paymentId, { ...operation, columns });
}

/** The same before operations carried the amount of their payment. */
export async function insertOldOperation(
  client: Client,
  paymentId: string,
  { kind, state = 'pending', amount = 100, columns: others = {} }: BareOperation,
): Promise<string> {
  const isPending = state === 'pending';
  const columns: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    payment_id: 'id',
    kind: `'${kind}'`,
    amount_centavos: `${amount}`,
    reference: 'gen_random_uuid()',
    state: `'${state}'`,
    refusal_code: state === 'refused' ? `'do_not_honor'` : 'null',
    check_at: isPending ? 'now()' : 'null',
    settled_at: isPending ? 'null' : 'now()',
    created_at: 'now()',
    ...others,
  };
  const { rows } = await client.query<{ id: string }>(
    `insert into payment_operations (slot, merchant_id, ${Object.keys(columns).join(', ')})
     select slot, merchant_id, ${Object.values(columns).join(', ')} from payments where id = $1
     returning id`,
    [paymentId],
  );
  return rows[0]!.id;
}

/** A refund of a payment, in progress; resolves to its id. */
export async function insertBareRefund(client: Client, paymentId: string, amount = 100): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into refunds (slot, merchant_id, id, payment_id, amount_centavos, status, reference, created_at, updated_at)
     select slot, merchant_id, gen_random_uuid(), id, $2, 'in_progress', gen_random_uuid(), now(), now()
       from payments where id = $1
     returning id`,
    [paymentId, amount],
  );
  return rows[0]!.id;
}

/** Inserts an ended subscription of the customer `buyer`. */
export async function insertBareSubscription(client: Client): Promise<void> {
  await client.query(`
    insert into subscriptions (slot, merchant_id, id, code, status, method, customer_id, mcc, installments, interval,
                               ladder, schedule, start_at, trial_days, paid_cycles, credit_centavos, ended_at,
                               created_at, updated_at)
    select slot, merchant_id, gen_random_uuid(), gen_random_uuid(), 'ended', 'pix', id, '5734', 1, 'monthly',
           '[{"start": 1, "end": null, "amount_centavos": 1}]', '{}', now(), 0, 0, 0, now(), now(), now()
      from customers where name = 'buyer'`);
}

/** A payment link of 100 centavos, by card; resolves to its id. */
export async function insertBareLink(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into payment_links
       (slot, merchant_id, id, hash, state, title, amount_type, amount_centavos, payment_methods, max_installments,
        interest_mode, interest_free_installments, card_capture, boleto_expiration_days, pix_expiration_minutes,
        collect_phone, require_address, send_email_receipt, max_payments, created_at, updated_at)
     select slot, merchant_id, gen_random_uuid(), gen_random_uuid(), 'active', 'A', 'fixed', 100, '{credit_card}', 1,
            'none', 1, false, 3, 30, false, false, false, 10, now(), now()
       from merchants
     returning id`,
  );
  return rows[0]!.id;
}
