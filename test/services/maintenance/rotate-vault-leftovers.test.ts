import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listOlderValues, listVersionsInUse } from '../../../db/vault/sealed-values.ts';
import { DAY_MS } from '../../../domain/durations.ts';
import { SEALED_COLUMNS } from '../../../jobs/index.ts';
import { openCardForAuthorization } from '../../../services/cards/open-card.ts';
import { rotateVault } from '../../../services/maintenance/rotate-vault.ts';
import { newCard, newCustomer } from '../../support/cards/card-calls.ts';
import { VISA } from '../../support/cards/cards.ts';
import { openVaultOperator, type VaultOperator } from '../../support/cards/vault-operator.ts';
import { startTestService, type TestService } from '../../support/service.ts';

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

describe('batches, and values that cannot be decrypted', () => {
  test('every value of a slot is encrypted again, in several batches', async () => {
    const { slot, merchantId } = service.merchant.merchant;
    const count = 450;
    const keys = Array.from({ length: count }, (_, i) => `batch ${i}`);
    const sealed = keys.map((key) =>
      service.deps.vault.seal('{}', `idempotency_keys.response:${merchantId}:${key}`),
    );
    await service.deps.db.execute(
      service.merchant.merchant,
      `insert into idempotency_keys (slot, merchant_id, key, operation, body_hash, resource_id, lease_id,
         leased_until, response_status, response_sealed, created_at, expires_at)
       select :slot, :merchant_id, v.key, 'x', '\\x00', gen_random_uuid(), gen_random_uuid(), :at, 200, v.sealed, :at, :at
         from unnest(:keys::text[], :sealed::bytea[]) as v (key, sealed)`,
      { keys, sealed, at: new Date() },
    );
    const { version, resealed } = await rotateVault(operator, { settle });
    assert.ok(resealed >= count);
    const column = SEALED_COLUMNS.find(({ table }) => table === 'idempotency_keys')!;
    const older = await listOlderValues(operator.db, slot, column, { version, after: null, limit: 1 });
    assert.deepEqual(older, []);
  });

  test('a value that cannot be decrypted is reported and left unchanged; all others are encrypted again', async () => {
    const [broken, whole] = [
      await newCard(service, customerId, VISA),
      await newCard(service, customerId, VISA),
    ];
    const scope = service.merchant.merchant;
    const swap = (from: string, to: string) =>
      operator.db.execute(
        scope,
        `update cards set number_sealed = (select number_sealed from cards where {scope} and id = :from)
          where {scope} and id = :to`,
        { from, to },
      );
    await swap(whole.id, broken.id);
    const { unreadable, version } = await rotateVault(operator, { settle });
    assert.deepEqual(unreadable, [`cards.number_sealed of ${broken.id}`]);
    assert.equal((await open(whole.id))?.number, VISA.number);
    await service.call('DELETE', `/cards/${broken.id}`);
    assert.deepEqual(await listVersionsInUse(operator.db, NUMBERS), [version]);
  });
});

describe('old key versions', () => {
  const versions = async () => {
    const rows = await operator.db.anywhere<{ version: number }>(
      'select version from vault_keys order by version',
    );
    return rows.map(({ version }) => version);
  };

  test('are kept for a day after the next version, and as long as a value is encrypted with them', async () => {
    const card = await newCard(service, customerId, VISA);
    const { retired: tooSoon, version: before } = await rotateVault(operator, { settle });
    assert.deepEqual(tooSoon, []);

    // Left under a version of before: one value that does not open.
    await operator.db.execute(
      service.merchant.merchant,
      "update cards set number_sealed = '\\x010001'::bytea || substring(number_sealed from 4) where {scope} and id = :id",
      { id: card.id },
    );
    const tomorrow = { ...operator, wall: () => new Date(Date.now() + DAY_MS + 1_000) };
    const { retired, version } = await rotateVault(tomorrow, { settle });
    assert.deepEqual(await versions(), [1, version]);
    assert.ok(retired.includes(before) && !retired.includes(1) && !retired.includes(version));
  });
});
