import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openKeyedHash } from '../../../services/vault/keyed-hash.ts';
import { localSecrets } from '../../../services/vault/local-secrets.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const FOREIGN = /^Error: KEY_PEPPER is not the one of this database\. .* delete the row of pepper_check\.$/;

describe('the pepper of a database', () => {
  let service: TestService;
  let pepper: string;
  before(async () => {
    service = await startTestService({ jobs: false });
    pepper = (await localSecrets(service.dataDir)).keyPepper;
  });
  after(() => service.stop());

  const open = (one: string) => openKeyedHash(service.deps.db, one);
  const others = [1, 2, 3, 4].map((n) => `another pepper, ${n}`);

  it('is that of the first start; hashing with another one fails', async () => {
    await assert.rejects(open(others[0]!), FOREIGN);
    const hash = await open(pepper);
    assert.deepEqual(hash('api-key', 'x'), service.deps.hash('api-key', 'x'));
  });

  describe('of a new database', () => {
    beforeEach(async () => {
      await service.deps.db.anywhere('delete from pepper_check');
    });

    it('is one of those of several simultaneous starts', async () => {
      const opened = await Promise.allSettled(others.map(open));
      const won = others.filter((_, i) => opened[i]!.status === 'fulfilled');
      assert.equal(won.length, 1);
      for (const other of others) {
        if (other === won[0]) await open(other);
        else await assert.rejects(open(other), FOREIGN);
      }
    });
  });
});
