import pg from 'pg';
import { NO_RECIPIENT, PARTS } from '../../db/ledger/post-transfers.ts';
import { encodeCursor } from '../../domain/cursor.ts';
import { returnResult } from '../../services/deps.ts';
import { changeMerchant } from '../../services/merchants/change-merchant.ts';
import { createMerchant } from '../../services/merchants/create-merchant.ts';
import { openOperator } from '../admin/operator.ts';
import type { BenchEnvironment } from './processes.ts';

/** A merchant without a rate limit. */
export interface BenchMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
}

const NO_LIMIT = 1_000_000;
/** Rows of one statement. The database writes its log to disk between statements. */
const LOT = 50_000;

/** Creates merchants with these names, as the admin command does. */
export async function createMerchants(
  { env }: BenchEnvironment,
  names: readonly string[],
): Promise<BenchMerchant[]> {
  await using operator = await openOperator(env);
  const merchants: BenchMerchant[] = [];
  for (const name of names) {
    const { merchant, apiKey } = await createMerchant(operator, { name }, returnResult);
    const { merchantId } = merchant;
    await changeMerchant(operator, merchantId, { rateLimitPerMinute: NO_LIMIT });
    merchants.push({ merchantId, apiKey });
  }
  return merchants;
}

/** Rows of a merchant with years of history. SQL generates them. */
export class TestData {
  readonly #pool: pg.Pool;

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  }

  /** Customers `from` to `to` of a merchant, and for each an order with its payment and its ledger entries. */
  async fill({ merchantId }: BenchMerchant, from: number, to: number): Promise<void> {
    for (let first = from; first < to; first += LOT) {
      const range = [merchantId, first + 1, Math.min(first + LOT, to)];
      await this.#pool.query(INSERT_CUSTOMERS, range);
      await this.#pool.query(INSERT_ORDERS, range);
      await this.#pool.query(INSERT_PAYMENTS, range);
      await this.#pool.query(INSERT_TRANSFERS, range);
      await this.#pool.query(ADD_BALANCES, range);
    }
    await this.#pool.query(ADD_PENDING, [merchantId, INSTALLMENT_DAYS, PARTS]);
    await this.#pool.query('vacuum analyze');
    await this.#pool.query('checkpoint');
  }

  async customerIds({ merchantId }: BenchMerchant, count: number): Promise<string[]> {
    const { rows } = await this.#pool.query(
      'select id from customers where merchant_id = $1 order by md5(id::text) limit $2',
      [merchantId, count],
    );
    return rows.map((row) => row.id);
  }

  /** The cursor of the page after this many payments, newest first. */
  async cursorAfter({ merchantId }: BenchMerchant, count: number): Promise<string> {
    const { rows } = await this.#pool.query(
      `select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at
         from payments where merchant_id = $1 order by created_at desc, id desc offset $2 limit 1`,
      [merchantId, count - 1],
    );
    return encodeCursor({ createdAt: rows[0].created_at, id: rows[0].id });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** One row per second up to now, with ids in the order of time, as the service makes them. */
const AT = `timestamptz '2026-01-01' - interval '1 second' * (2000000 - n)`;
const id = (kind: string) => `cast(lpad(to_hex(cast(extract(epoch from ${AT}) * 1000 as bigint)), 12, '0')
  || '7' || substr(md5('${kind}' || n), 1, 3) || '8' || substr(md5('${kind}' || m.merchant_id || n), 1, 15) as uuid)`;
const hash = (kind: string) => `'aa' || translate(md5('${kind}' || m.merchant_id || n), '0189', 'wxyz')`;
const FROM =
  'from merchants m, generate_series(cast($2 as bigint), cast($3 as bigint)) n where m.merchant_id = $1';

const INSERT_CUSTOMERS = `
  insert into customers (slot, merchant_id, id, hash, name, email, email_key, documents, addresses, phone, metadata,
                         created_at, updated_at)
  select m.slot, m.merchant_id, ${id('customer')}, ${hash('customer')}, 'Ana Beatriz Souza',
         'ana' || n || '@example.com', 'ana' || n || '@example.com',
         jsonb_build_array(jsonb_build_object('type', 'cpf', 'value', lpad(cast(n as text), 11, '0'))),
         '[{"type":"billing","line1":"Avenida Paulista","number":"1000","line2":"Conjunto 42","neighborhood":"Bela Vista",
            "city":"São Paulo","state":"SP","postalCode":"01310100","country":"BR"}]',
         '{"ddi":"55","ddd":"11","number":"998765432","type":"mobile"}', '{"origem":"loja"}', ${AT}, ${AT}
  ${FROM}`;

const INSERT_ORDERS = `
  insert into orders (slot, merchant_id, id, code, customer_id, mcc, amount_centavos, items, created_at)
  select m.slot, m.merchant_id, ${id('order')}, 'pedido-' || n, ${id('customer')}, '5734', 4990,
         '[{"name":"Caneca","quantity":1,"amount":4990}]', ${AT}
  ${FROM}`;

/** Paid Pix payments, with a code and an image of the usual size. */
const INSERT_PAYMENTS = `
  insert into payments (slot, merchant_id, id, hash, order_id, order_code, customer_id, status, method,
    amount_centavos, captured_centavos, fee_centavos, captured_on, reference, mcc, details, history, created_at,
    updated_at)
  select m.slot, m.merchant_id, ${id('payment')}, ${hash('payment')}, ${id('order')}, 'pedido-' || n, ${id('customer')},
         'paid', 'pix', 4990, 4990, 49, cast(${AT} as date), ${hash('reference')}, '5734', jsonb_build_object(
           'txid', ${hash('txid')},
           'qrCode', repeat(md5('code' || n), 5),
           'qrImage', 'data:image/png;base64,' ||
             (select string_agg(encode(sha256(convert_to(n || '-' || part, 'UTF8')), 'base64'), '')
                from generate_series(1, 20) part),
           'expiresAt', ${AT} + interval '30 minutes',
           'endToEndId', null),
         jsonb_build_array(jsonb_build_object('status', 'processing', 'at', '2026-01-01T00:00:00.000Z'),
                           jsonb_build_object('status', 'waiting_payment', 'at', '2026-01-01T00:00:01.000Z'),
                           jsonb_build_object('status', 'paid', 'at', '2026-01-01T00:00:20.000Z')),
         ${AT}, ${AT}
  ${FROM}`;

/** The id of a transfer ends in an even digit. */
const transferId = (kind: string) => `cast(overlay(cast(${id(kind)} as text) placing '0' from 36) as uuid)`;

/** What the acquirer owes, and the fee: two transfers, so four entries. */
const INSERT_TRANSFERS = `
  insert into ledger_transfers (slot, merchant_id, created_at, id, transaction_id, payment_id, kind, debit, credit,
    amount_centavos, available_on, reference)
  select m.slot, m.merchant_id, ${AT}, t.id, ${id('transaction')}, ${id('payment')}, t.kind, t.debit, t.credit, t.centavos,
         cast(${AT} as date), ${hash('reference')}
  from merchants m, generate_series(cast($2 as bigint), cast($3 as bigint)) n, lateral (values
    (${transferId('capture')}, 'capture', 'acquirer_receivable', 'merchant', 4990),
    (${transferId('fee')}, 'fee', 'merchant', 'platform_fees', 49)) t (id, kind, debit, credit, centavos)
  where m.merchant_id = $1`;

/** In the row into which the job folds the balances of past days. */
const ADD_BALANCES = `
  insert into ledger_balances (slot, merchant_id, account, recipient_id, available_on, part, balance_centavos)
  select slot, merchant_id, 'merchant', '${NO_RECIPIENT}', date '0001-01-01', 0,
         (cast($3 as bigint) - cast($2 as bigint) + 1) * (4990 - 49)
    from merchants where merchant_id = $1
  on conflict (slot, merchant_id, account, recipient_id, available_on, part)
  do update set balance_centavos = ledger_balances.balance_centavos + excluded.balance_centavos`;

/** A seller by card in 12 installments has money that becomes available on each of these days. */
const INSTALLMENT_DAYS = 12 * 30;

/**
 * The rows of such a seller, whose payments of one day are spread over all parts. Without them, a balance is one row.
 */
const ADD_PENDING = `
  insert into ledger_balances (slot, merchant_id, account, recipient_id, available_on, part, balance_centavos)
  select slot, merchant_id, 'merchant', '${NO_RECIPIENT}', current_date + day, part, 4990
    from merchants, generate_series(1, cast($2 as int)) day, generate_series(0, cast($3 as int) - 1) part
   where merchant_id = $1
  on conflict do nothing`;
