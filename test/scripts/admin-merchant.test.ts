import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseApiKey } from '../../domain/merchants/api-key.ts';
import { type AdminDatabase, adminDatabase, UNKNOWN_ID } from './support/admin-database.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let admin: AdminDatabase;
before(async () => {
  admin = await adminDatabase();
});
after(() => admin.remove());

describe('merchant create', () => {
  test('prints the id, a working API key with all permissions, and the encryption key', async () => {
    const created = await admin.createMerchant();
    assert.deepEqual(Object.keys(created), ['merchant_id', 'api_key', 'encryption_key']);
    assert.match(created.merchant_id, UUID);
    assert.match(created.encryption_key, /^[0-9A-Za-z]{32}$/);
    assert.equal(parseApiKey(created.api_key)?.environment, 'sandbox');
    const { merchant, permissions } = await admin.whoIs(created.api_key);
    assert.equal(merchant.merchantId, created.merchant_id);
    assert.equal(merchant.status, 'approved');
    assert.equal(permissions, null);
  });

  test('accepts every option, lists as repeated options or with commas, and a formatted document', async () => {
    const created = await admin.createMerchant(
      ...['--legal-name', 'Aurora Pães Ltda', '--document', '11.222.333/0001-81', '--plan', 'essential'],
      ...['--mcc', '5734,7372', '--mcc', '5812', '--methods', 'pix', '--methods', 'credit_card', '--pending'],
    );
    const shown = await admin.json<Record<string, unknown>>('merchant', 'show', created.merchant_id);
    const { created_at, ...rest } = shown;
    assert.match(`${created_at}`, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual(rest, {
      merchant_id: created.merchant_id,
      name: 'Padaria Aurora',
      legal_name: 'Aurora Pães Ltda',
      document: '11222333000181',
      status: 'pending',
      plan: 'essential',
      mccs: ['5734', '7372', '5812'],
      payment_methods: ['pix', 'credit_card'],
      rate_limit: null,
      webhook_retries_ms: null,
      dunning_days: null,
      installment_interest: null,
    });
  });

  test('without --json it prints the same as lines', async () => {
    const { stdout } = await admin.run('merchant', 'create', '--name', 'Livraria');
    assert.match(
      stdout,
      /^Livraria is approved\. The keys are shown only this once:\n {2}merchant_id +\S+\n {2}api_key/,
    );
  });
});

describe('merchant list, show, approve, suspend', () => {
  test('list prints every merchant, and approve and suspend print the new status', async () => {
    const { merchant_id: id } = await admin.createMerchant('--pending');
    const status = async () =>
      (await admin.json<{ merchant_id: string; status: string }[]>('merchant', 'list')).find(
        (merchant) => merchant.merchant_id === id,
      )?.status;
    assert.equal(await status(), 'pending');
    assert.equal((await admin.json<{ status: string }>('merchant', 'approve', id)).status, 'approved');
    assert.equal((await admin.json<{ status: string }>('merchant', 'suspend', id)).status, 'suspended');
    assert.equal(await status(), 'suspended');
    assert.match((await admin.run('merchant', 'list')).stdout, new RegExp(`^merchant_id .*\n(.*\n)*${id} `));
  });

  test('an unknown id is reported', async () => {
    for (const verb of ['show', 'approve', 'suspend']) {
      await admin.refused(
        ['merchant', verb, UNKNOWN_ID],
        new RegExp(`^There is no merchant ${UNKNOWN_ID}\\.$`),
      );
    }
  });
});

describe('merchant set', () => {
  test('changes the given options, leaves the rest, and removes values by "default" or "none"', async () => {
    const { merchant_id: id, api_key } = await admin.createMerchant('--plan', 'essential');
    const set = (...flags: string[]) =>
      admin.json<Record<string, unknown>>('merchant', 'set', '--merchant', id, ...flags);
    const changed = await set(
      ...['--rate-limit', '5', '--webhook-retries', '1s,2s,4s', '--webhook-retries', '500ms,2h,1d'],
      ...['--dunning-days', '1,3,5,7', '--document', '52998224725', '--mcc', '5812'],
      ...['--installment-interest', '3=299,2=199'],
    );
    assert.equal(changed.rate_limit, 5);
    assert.deepEqual(changed.webhook_retries_ms, [1_000, 2_000, 4_000, 500, 7_200_000, 86_400_000]);
    assert.deepEqual(changed.dunning_days, [1, 3, 5, 7]);
    assert.deepEqual(changed.installment_interest, ['2=199', '3=299']);
    assert.equal(changed.document, '52998224725');
    assert.deepEqual(changed.mccs, ['5812']);
    assert.equal(changed.plan, 'essential');
    assert.equal((await admin.whoIs(api_key)).merchant.rateLimitPerMinute, 5);

    const cleared = await set(
      ...['--rate-limit', 'default', '--webhook-retries', 'default', '--dunning-days', 'none'],
      ...['--document', 'none', '--name', 'Outro Nome', '--legal-name', 'Outro SA', '--plan', 'standard'],
      ...['--methods', 'pix', '--installment-interest', 'none'],
    );
    assert.equal(cleared.rate_limit, null);
    assert.equal(cleared.webhook_retries_ms, null);
    assert.equal(cleared.dunning_days, null);
    assert.equal(cleared.installment_interest, null);
    assert.equal(cleared.document, null);
    assert.equal(cleared.name, 'Outro Nome');
    assert.equal(cleared.legal_name, 'Outro SA');
    assert.equal(cleared.plan, 'standard');
    assert.deepEqual(cleared.payment_methods, ['pix']);
    assert.deepEqual(cleared.mccs, ['5812']);
  });

  test('a notification secret is stored encrypted, never printed, and can be removed', async () => {
    const { merchant_id: id } = await admin.createMerchant();
    const secret = `whsec_${Buffer.alloc(24, 'planted secret').toString('base64')}`;
    const { stdout } = await admin.run(
      'merchant',
      'set',
      '--merchant',
      id,
      '--notification-secret',
      secret,
      '--json',
    );
    assert.ok(!stdout.includes(secret));
    const kept = async () =>
      admin.db.anywhere<{ sealed: Buffer | null }>(
        'select notification_secret_sealed as sealed from merchants where merchant_id = :id',
        { id },
      );
    const [row] = await kept();
    assert.ok(row?.sealed != null && row.sealed.length > secret.length && !row.sealed.includes(secret));
    await admin.run('merchant', 'set', '--merchant', id, '--notification-secret', 'none');
    assert.deepEqual(await kept(), [{ sealed: null }]);
  });

  test('refuses a call without options', () =>
    admin.refused(
      ['merchant', 'set', '--merchant', UNKNOWN_ID],
      /^merchant set needs at least one setting to change\.$/,
    ));

  test('refuses an unknown merchant', () =>
    admin.refused(
      ['merchant', 'set', '--merchant', UNKNOWN_ID, '--rate-limit', '5'],
      new RegExp(`^There is no merchant ${UNKNOWN_ID}\\.$`),
    ));
});

describe('merchant replace-encryption-key', () => {
  test('prints a new encryption key, and the API keys stay valid', async () => {
    const created = await admin.createMerchant();
    const replaced = await admin.json<Record<string, string>>(
      ...['merchant', 'replace-encryption-key', created.merchant_id],
    );
    assert.deepEqual(Object.keys(replaced), ['merchant_id', 'encryption_key']);
    assert.match(replaced.encryption_key!, /^[0-9A-Za-z]{32}$/);
    assert.notEqual(replaced.encryption_key, created.encryption_key);
    assert.equal((await admin.whoIs(created.api_key)).merchant.merchantId, created.merchant_id);
  });

  test('an unknown merchant is reported', async () => {
    await admin.refused(['merchant', 'replace-encryption-key', UNKNOWN_ID], /^There is no merchant /);
  });
});
