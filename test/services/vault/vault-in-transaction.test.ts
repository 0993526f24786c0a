import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { returnResult } from '../../../services/deps.ts';
import { bankAccountContext } from '../../../services/recipients/bank-account.ts';
import { updateRecipient } from '../../../services/recipients/update-recipient.ts';
import { KeyNotLoaded, Unreadable, withKeysLoaded } from '../../../services/vault/vault.ts';
import { openVaultOperator, secondVault, type VaultOperator } from '../../support/cards/vault-operator.ts';
import { BANK_ACCOUNT, companyBody } from '../../support/orders/parties.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let operator: VaultOperator;
let single: Database;

before(async () => {
  service = await startTestService({ jobs: false });
  operator = await openVaultOperator(service);
  single = openDatabase({ url: service.databaseUrl, maxConnections: 1 });
});
after(async () => {
  await single.close();
  await operator.db.close();
  await service.stop();
});

test('a process with one connection decrypts a value of a key version that it has not loaded', async () => {
  const { merchant } = service.merchant;
  const body = companyBody({ bank_account: BANK_ACCOUNT });
  const { id } = (await service.call('POST', '/recipients', { body })).body;
  const unaware = { ...service.deps, db: single, vault: await secondVault(service, single) };
  const version = await operator.vault.addVersion();
  assert.equal(unaware.vault.version, version - 1);
  const [{ sealed } = {}] = await operator.db.rows<{ sealed: Buffer }>(
    merchant,
    'select bank_account_sealed as sealed from recipients where {scope} and id = :id',
    { id },
  );
  const context = bankAccountContext(id);
  await operator.db.execute(
    merchant,
    'update recipients set bank_account_sealed = :sealed where {scope} and id = :id',
    { id, sealed: operator.vault.seal(await operator.vault.open(sealed!, context), context) },
  );

  const changes = { bankAccount: { accountNumber: '7654321' } };
  const updated = await updateRecipient(unaware, merchant, { identifier: id, changes }, returnResult);
  assert.equal(updated.bankAccount?.accountLast4, '4321');
  assert.equal(unaware.vault.version, version);
});

test('a value of an unknown key version is reported', async () => {
  const sealed = operator.vault.seal('a value', 'a context');
  sealed.writeUInt16BE(9_999, 1);
  await assert.rejects(operator.vault.open(sealed, 'a context'), {
    message: 'The vault has no key of version 9999.',
  });
});

test('values of several versions that are gone are unreadable, not only not loaded', async () => {
  const { vault } = operator;
  const unreadable = [7_001, 7_002].map((version) => {
    const sealed = vault.seal('a value', 'a context');
    sealed.writeUInt16BE(version, 1);
    return sealed;
  });
  const read = async () =>
    unreadable.map((sealed) => {
      try {
        return vault.openLoaded(sealed, 'a context').toString();
      } catch (error) {
        if (error instanceof KeyNotLoaded) throw error;
        return null;
      }
    });
  assert.deepEqual(await withKeysLoaded(vault, read), [null, null]);
});

test('a value that was cut is unreadable', async () => {
  const sealed = operator.vault.seal('a value', 'a context');
  for (const length of [0, 1, 2, 14, 16, sealed.length - 1])
    await assert.rejects(operator.vault.open(sealed.subarray(0, length), 'a context'), Unreadable);
});
