import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listOlderValues, listVersionsInUse, replaceValues } from '../../../db/vault/sealed-values.ts';
import { findEndpoint } from '../../../db/webhooks/endpoints.ts';
import { SEALED_COLUMNS } from '../../../jobs/index.ts';
import { cardContext } from '../../../services/cards/card-context.ts';
import { openCardForAuthorization } from '../../../services/cards/open-card.ts';
import { rotateVault } from '../../../services/maintenance/rotate-vault.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import type { Vault } from '../../../services/vault/vault.ts';
import { queueSecrets } from '../../../services/webhooks/endpoint-secrets.ts';
import { newCard, newCustomer } from '../../support/cards/card-calls.ts';
import { cardDocument, encryptJwe, VISA } from '../../support/cards/cards.ts';
import { openVaultOperator, secondVault, type VaultOperator } from '../../support/cards/vault-operator.ts';
import { advance } from '../../support/clock-calls.ts';
import { BANK_ACCOUNT, companyBody, customerBody } from '../../support/orders/parties.ts';
import { fetchDueTokens } from '../../support/run-jobs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribedByWallet } from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

const NUMBERS = SEALED_COLUMNS.find(({ column }) => column === 'number_sealed')!;

let service: TestService;
let customerId: string;
let operator: VaultOperator;

before(async () => {
  service = await startTestService({ jobs: false });
  customerId = await newCustomer(service);
  operator = await openVaultOperator(service);
});
after(async () => {
  await operator.db.close();
  await service.stop();
});
const settle = () => service.deps.vault.refresh();
const open = (cardId: string) => openCardForAuthorization(service.deps, service.merchant.merchant, cardId);

async function versionsInUse(): Promise<Map<string, number[]>> {
  const versions = new Map<string, number[]>();
  for (const column of SEALED_COLUMNS) {
    versions.set(`${column.table}.${column.column}`, await listVersionsInUse(operator.db, column));
  }
  return versions;
}

/** A card number sealed by this vault, put in place of the one that is there. */
async function sealAgain(vault: Vault, cardId: string): Promise<void> {
  await service.deps.db.execute(
    service.merchant.merchant,
    'update cards set number_sealed = :sealed where {scope} and id = :id',
    { id: cardId, sealed: vault.seal(VISA.number, cardContext.number(cardId)) },
  );
}

describe('the columns of a rotation', () => {
  test('the list of sealed columns matches the database', async () => {
    const rows = await operator.db.anywhere<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type = 'bytea' and column_name like '%\\_sealed'`,
    );
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    assert.deepEqual(listed.sort(), rows.map(({ name }) => name).sort());
  });

  test('every column is encrypted again, and every value can be decrypted', async () => {
    const scope = service.merchant.merchant;
    await changeMerchant(operator, scope.merchantId, { notificationSecret: 'whsec_c2VjcmV0' });
    const recipient = { body: companyBody({ bank_account: BANK_ACCOUNT }) };
    assert.equal((await service.call('POST', '/recipients', recipient)).status, 201);
    const keyed = { body: customerBody(), idempotencyKey: 'before the rotation' };
    const first = await service.call('POST', '/customers', keyed);
    const card = await newCard(service, customerId, VISA);
    await fetchDueTokens(service.deps);
    const endpoint = { url: 'https://loja.invalid/hook', events: ['*'] };
    const { id, secret } = (await service.call('POST', '/webhook-endpoints', { body: endpoint })).body;
    const rotated = await service.call('POST', `/webhook-endpoints/${id}/rotate-secret`);
    const shop = await Shop.open(service);
    await verifiedDomain(shop, domainOf(shop));
    const byWallet = await subscribedByWallet(shop);

    const { version, unreadable } = await rotateVault(operator, { settle });
    assert.deepEqual(unreadable, []);
    for (const [column, versions] of await versionsInUse()) assert.deepEqual(versions, [version], column);

    assert.equal((await service.call('POST', '/customers', keyed)).text, first.text);
    const stored = (await findEndpoint(service.deps.db, scope, id))!;
    const queue = { endpoint: stored, retries_ms: null, notificationSecretSealed: null };
    const secrets = await queueSecrets(service.deps, scope, queue, service.deps.wall());
    assert.deepEqual(secrets, [rotated.body.secret, secret]);
    const opened = await open(card.id);
    assert.deepEqual([opened?.number, opened?.securityCode], [VISA.number, VISA.securityCode]);
    await advance(shop, { days: 32 });
    assert.equal((await shop.get(`/subscriptions/${byWallet.id}`)).successful_charges, 2);
    await newCard(service, customerId, VISA);
    const { body: key } = await service.call('GET', '/cards/encryption-key');
    const encrypted = await encryptJwe(cardDocument(VISA), key.jwk);
    const body = { customer_id: customerId, encrypted };
    assert.equal((await service.call('POST', '/cards', { body })).status, 201);
  });
});

describe('a rotation while the service runs', () => {
  test('loses no card and misses none, while cards are stored and deleted', async () => {
    const stored: string[] = [];
    let isRotating = true;
    const shop = async () => {
      for (let i = 0; isRotating || i < 10; i += 1) {
        const { id } = await newCard(service, customerId, VISA);
        if (i % 4 === 3) await service.call('DELETE', `/cards/${id}`);
        else stored.push(id);
      }
    };
    const shopping = [shop(), shop(), shop()];
    // Each pass lets the shops store some more under the version that the service knew before.
    const settleLate = async () => {
      const enough = stored.length + 6;
      while (stored.length < enough) await newCard(service, customerId, VISA);
      await settle();
    };
    const { version } = await rotateVault(operator, { settle: settleLate });
    isRotating = false;
    await Promise.all(shopping);

    for (const [column, versions] of await versionsInUse()) {
      assert.ok(
        versions.every((used) => used === version),
        `${column}: ${versions}`,
      );
    }
    assert.ok(stored.length >= 20);
    for (const id of stored) assert.equal((await open(id))?.number, VISA.number);
  });

  test('waits for a process that loads the version late', async () => {
    const card = await newCard(service, customerId, VISA);
    const late = await secondVault(service, operator.db);
    let pauses = 0;
    const { version } = await rotateVault(operator, {
      settle: async () => {
        pauses += 1;
        if (pauses <= 2) await sealAgain(late, card.id);
        else await late.refresh();
      },
    });
    assert.equal(pauses, 3);
    assert.ok(late.version === version && (await open(card.id))?.number === VISA.number);
    assert.deepEqual(await listVersionsInUse(operator.db, NUMBERS), [version]);
  });

  test('reports a process that never loads the version, whose values can still be decrypted', async () => {
    const card = await newCard(service, customerId, VISA);
    const stale = await secondVault(service, operator.db);
    await assert.rejects(rotateVault(operator, { settle: () => sealAgain(stale, card.id) }), {
      message: 'A process continues to use an older key version.',
    });
    assert.equal((await open(card.id))?.number, VISA.number);
  });

  test('does not overwrite a value that has changed since it was read', async () => {
    const card = await newCard(service, customerId, VISA);
    const { slot } = service.merchant.merchant;
    const walk = { version: 65_535, after: null, limit: 1_000 };
    const values = await listOlderValues(operator.db, slot, NUMBERS, walk);
    const value = values.find(({ key }) => key === card.id)!;
    await sealAgain(service.deps.vault, card.id);
    const fresh = Buffer.from('would destroy it');
    assert.equal(await replaceValues(operator.db, slot, NUMBERS, [{ ...value, fresh }]), 0);
    assert.equal((await open(card.id))?.number, VISA.number);
  });
});
