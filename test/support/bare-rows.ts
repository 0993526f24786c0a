import type { Client } from 'pg';

/** A merchant with two customers, `buyer` and `other`, each with a card in that name: rows alone, nothing opens. */
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
  readonly txid?: string | null;
  /** Name of the customer whose card it is. */
  readonly holder?: string;
}

/** A payment of 100 centavos by the customer `buyer`; resolves to its id. */
export async function insertBarePayment(client: Client, payment: BarePayment = {}): Promise<string> {
  const {
    status = 'processing',
    captured = 0,
    refunded = 0,
    refunding = 0,
    txid = null,
    holder = 'buyer',
  } = payment;
  const { rows } = await client.query<{ id: string }>(
    `insert into payments (slot, merchant_id, id, hash, customer_id, status, method, amount_centavos, captured_centavos,
                           refunded_centavos, refunding_centavos, reference, mcc, card_id, pix_txid, history,
                           created_at, updated_at)
     select c.slot, c.merchant_id, gen_random_uuid(), gen_random_uuid(), c.id, $1, 'credit_card', 100, $2, $3, $4,
            gen_random_uuid(), '5734', d.id, $5, '[]', now(), now()
       from customers c join cards d using (slot, merchant_id)
      where c.name = 'buyer' and d.holder = $6
     returning id`,
    [status, captured, refunded, refunding, txid, holder],
  );
  return rows[0]!.id;
}
