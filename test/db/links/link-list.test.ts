import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Queryable } from '../../../db/engine/database.ts';
import { listPaymentLinks } from '../../../db/links/payment-links.ts';
import type { PaymentLinkStatus } from '../../../domain/links/payment-link-status.ts';
import type { MerchantScope } from '../../../domain/scope.ts';
import { clientWithMerchant } from '../../support/db/bare-client.ts';
import { pagesRead, rowsRead } from '../../support/db/rows-read.ts';

const NEWER = 10_000;
const PER_PAGE = 20;
/** Those of the links of a merchant, in one index, are 80 or more. */
const MOST_PAGES = 20;
const DEPTH = '2026-01-02T00:00:00.000000Z';
const NOW = '2026-02-01T00:00:00Z';
/** Has expired, but not yet for long enough to be marked. */
const JUST_NOW = '2026-01-31T23:59:30Z';

/** The columns of a link, as SQL: what differs between statuses. */
const COLUMNS = {
  active: { expires_at: 'null' },
  'active, expiring later': {
    expires_at: `timestamptz '2026-03-01' + n * interval '1 minute'`,
    max_payments: '2',
  },
  disabled: { state: `'disabled'` },
  exhausted: { max_payments: '1' },
  'exhausted, expiring later': { max_payments: '1', expires_at: `timestamptz '2026-03-01'` },
  expired: { expires_at: `timestamptz '2026-01-30' + n * interval '1 second'`, is_expired: 'true' },
  'exhausted and expired': { max_payments: '1', expires_at: `timestamptz '2026-01-30'`, is_expired: 'true' },
  'expired just now': { expires_at: `timestamptz '${JUST_NOW}'` },
} as const;
type Kind = keyof typeof COLUMNS;
const KINDS = Object.keys(COLUMNS) as Kind[];
const STATUSES: (PaymentLinkStatus | undefined)[] = [undefined, 'active', 'disabled', 'expired', 'exhausted'];

const { client, scope } = await clientWithMerchant();

/** Adds links of one kind to a merchant, created in the minutes after `first`. */
async function insertLinks(
  of: MerchantScope,
  kind: Kind,
  { first, count }: { first: number; count: number },
) {
  const columns: Readonly<Record<string, string>> = { state: `'active'`, ...COLUMNS[kind] };
  await client.query(
    `insert into payment_links (slot, merchant_id, id, hash, title, amount_type, amount_centavos, payment_methods,
                                max_installments, interest_mode, interest_free_installments, card_capture,
                                boleto_expiration_days, pix_expiration_minutes, collect_phone, require_address,
                                send_email_receipt, payments_count, created_at, updated_at,
                                ${Object.keys(columns).join(', ')})
     select slot, merchant_id, gen_random_uuid(), n, 't', 'fixed', 100, '{pix}', 1, 'none', 1, true, 3, 30, false, false,
            false, 1, timestamptz '2026-01-01' + n * interval '1 minute', now(), ${Object.values(columns).join(', ')}
       from merchants, generate_series(cast($1 as integer), cast($2 as integer)) n where merchant_id = $3`,
    [first, first + count - 1, of.merchantId],
  );
}

/** A merchant with a few links of each kind, and many newer ones of one. */
async function merchantWithMany(kind: Kind): Promise<MerchantScope> {
  const { rows } = await client.query(
    `insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
                            encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
     select slot, gen_random_uuid(), name, legal_name, status, plan, mccs, payment_methods, encryption_key_sealed,
            private_key_sealed, public_key_jwk, created_at, updated_at
       from merchants where merchant_id = $1
     returning slot, merchant_id as "merchantId"`,
    [scope.merchantId],
  );
  for (const [i, few] of KINDS.entries()) await insertLinks(rows[0], few, { first: i * 5, count: 5 });
  await insertLinks(rows[0], kind, { first: 5 * KINDS.length, count: NEWER });
  return rows[0];
}

const MANY: readonly Kind[] = KINDS.filter((kind) => kind !== 'expired just now');
const merchants = new Map<Kind, MerchantScope>();
before(async () => {
  for (const kind of MANY) merchants.set(kind, await merchantWithMany(kind));
  await client.query('analyze payment_links');
});

async function assertReadsOnlyShown(
  of: MerchantScope,
  status: PaymentLinkStatus | undefined,
  from: string | null,
) {
  const after = from === null ? null : { createdAt: from, id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
  const page = { perPage: PER_PAGE, after, createdFrom: null, createdBefore: null };
  const ask = (q: Queryable) => listPaymentLinks(q, of, { status, at: new Date(NOW) }, page);
  const [most = 0] = await rowsRead(client, ask);
  assert.ok(most > 0 && most <= PER_PAGE + 1, `${most} rows were read in one step`);
  const pages = await pagesRead(client, ask);
  assert.ok(pages <= MOST_PAGES, `${pages} pages were read`);
}

for (const kind of MANY) {
  describe(`a page of links, of which the newest ${NEWER} are ${kind}, reads only the rows that it shows`, () => {
    for (const status of STATUSES) {
      const what = `of ${status ?? 'any'} status`;
      test(`${what}, first`, () => assertReadsOnlyShown(merchants.get(kind)!, status, null));
      test(`${what}, at depth`, () => assertReadsOnlyShown(merchants.get(kind)!, status, DEPTH));
    }
  });
}

// Then Postgres expects that a fourth of the table has expired and is not marked.
test('a page of expired links does so when half of a table with one merchant is marked', async () => {
  const of = merchants.get('expired')!;
  await client.query('delete from payment_links where merchant_id <> $1', [of.merchantId]);
  await insertLinks(of, 'active, expiring later', { first: 2 * NEWER, count: NEWER });
  await client.query('vacuum analyze payment_links');
  await assertReadsOnlyShown(of, 'expired', null);
  await assertReadsOnlyShown(of, 'expired', DEPTH);
});

// A payment that is paid changes `payments_count`. If an index needed it, the change would write to all indexes.
test('a payment that is paid changes no index of its link', async () => {
  await insertLinks(scope, 'active', { first: 1, count: 1 });
  await client.query('begin');
  await client.query(
    'update payment_links set payments_count = payments_count + 1 where slot = $1 and merchant_id = $2',
    [scope.slot, scope.merchantId],
  );
  const { rows } = await client.query(
    `select pg_stat_get_xact_tuples_hot_updated('payment_links'::regclass)::int as hot`,
  );
  await client.query('commit');
  assert.equal(rows[0].hot, 1);
});
