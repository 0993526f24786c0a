import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { Deps } from '../../../services/deps.ts';
import { listLedgerEntries } from '../../../services/ledger/list-ledger-entries.ts';

describe('entries of a recipient in an account of others', () => {
  for (const account of ['merchant', 'acquirer_receivable', 'platform_fees', 'disputes'] as const) {
    test(`${account}: none, and nothing is read`, async () => {
      const page = await listLedgerEntries({} as Deps, {} as Merchant, { page: {}, recipient: '1', account });
      assert.deepEqual(page.items, []);
      assert.equal(page.nextCursor, null);
    });
  }
});
