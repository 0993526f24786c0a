import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { listPaymentLinks } from '../../../db/links/payment-links.ts';
import type { PaymentLinkStatus } from '../../../domain/links/payment-link-status.ts';
import { clientWithMerchant } from '../../support/db/bare-client.ts';
import { rowsRead } from '../../support/db/rows-read.ts';

const LINKS = 10_000;
const PER_PAGE = 20;
const NOW = new Date('2026-02-01T00:00:00Z');

const { client, scope } = await clientWithMerchant();
before(async () => {
  // Most links are active: half of them expire later, and have places left. The oldest five have each other status, and
  // five are exhausted and have expired.
  await client.query(`
    insert into payment_links (slot, merchant_id, id, hash, state, title, amount_type, amount_centavos, payment_methods,
                               max_installments, interest_mode, interest_free_installments, card_capture,
                               boleto_expiration_days, pix_expiration_minutes, collect_phone, require_address,
                               send_email_receipt, expires_at, max_payments, payments_count, created_at, updated_at)
    select slot, merchant_id, gen_random_uuid(), n, case when n <= 5 then 'disabled' else 'active' end, 't', 'fixed', 100,
           '{pix}', 1, 'none', 1, true, 3, 30, false, false, false,
           case when n between 6 and 10 or n between 16 and 20 then timestamptz '2026-01-31'
                when n % 2 = 0 then timestamptz '2026-03-01' end,
           case when n between 11 and 20 then 1 when n % 2 = 0 then 2 end, 1,
           timestamptz '2026-01-01' + n * interval '1 minute', now()
      from merchants, generate_series(1, ${LINKS}) n;
    analyze payment_links`);
});

describe(`a page of ${LINKS} payment links, nearly all active, reads only the rows that it shows`, () => {
  const STATUSES: (PaymentLinkStatus | undefined)[] = [
    undefined,
    'active',
    'disabled',
    'expired',
    'exhausted',
  ];
  for (const status of STATUSES) {
    for (const [where, createdAt] of [
      ['first', null],
      ['at depth', '2026-01-04T00:00:00.000000Z'],
    ] as const) {
      test(`of ${status ?? 'any'} status, ${where}`, async () => {
        const after = createdAt === null ? null : { createdAt, id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
        const page = { perPage: PER_PAGE, after, createdFrom: null, createdBefore: null };
        const list = { status, at: NOW };
        const [most = 0] = await rowsRead(client, (db) => listPaymentLinks(db, scope, list, page));
        assert.ok(most <= PER_PAGE + 1, `${most} rows were read in one step`);
      });
    }
  }
});

// A payment that is paid changes `payments_count`. If an index needed it, the change would write to all indexes.
test('a payment that is paid changes no index of its link', async () => {
  await client.query('begin');
  await client.query(`update payment_links set payments_count = payments_count + 1 where hash = '9999'`);
  const { rows } = await client.query(
    `select pg_stat_get_xact_tuples_hot_updated('payment_links'::regclass) as hot`,
  );
  await client.query('commit');
  assert.equal(rows[0].hot, '1');
});
