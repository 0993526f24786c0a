import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { listTransfers } from '../../../db/ledger/transfers.ts';
import type { AccountKind } from '../../../domain/ledger/account.ts';
import { clientWithMerchant } from '../../support/db/bare-client.ts';
import { rowsRead } from '../../support/db/rows-read.ts';

const TRANSFERS = 10_000;
const PER_PAGE = 20;

const { client, scope } = await clientWithMerchant();
before(async () => {
  // Every payment goes to a recipient, except the first ones. Neither payments nor recipients are needed.
  await client.query(`
    set session_replication_role = replica;
    insert into ledger_transfers (slot, merchant_id, created_at, id, transaction_id, payment_id, kind, debit, credit,
                                  recipient_id, amount_centavos, available_on, reference)
    select slot, merchant_id, timestamptz '2026-01-01' + n * interval '1 minute', gen_random_uuid(), gen_random_uuid(),
           gen_random_uuid(), 'capture', 'acquirer_receivable', case when n <= 5 then 'merchant' else 'recipient' end,
           case when n > 5 then gen_random_uuid() end, 100, '2026-01-01', 'ref'
      from merchants, generate_series(1, ${TRANSFERS}) n;
    reset session_replication_role;
    analyze ledger_transfers`);
});

describe(`a page of ${TRANSFERS} transfers, nearly all to recipients, reads only the rows that it shows`, () => {
  const ACCOUNTS: (AccountKind | undefined)[] = [undefined, 'merchant', 'recipient', 'disputes'];
  for (const account of ACCOUNTS) {
    for (const [where, createdAt] of [
      ['first', null],
      ['at depth', '2026-01-02T00:00:00.000000Z'],
    ] as const) {
      test(`of ${account ?? 'all accounts'}, ${where}`, async () => {
        const after = createdAt === null ? null : { createdAt, id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
        const page = { perPage: PER_PAGE, after, createdFrom: null, createdBefore: null };
        const [most = 0] = await rowsRead(client, (db) => listTransfers(db, scope, { account }, page));
        assert.ok(most <= PER_PAGE + 1, `${most} rows were read in one step`);
      });
    }
  }
});
