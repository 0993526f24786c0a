import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { companyBody } from '../../support/orders/parties.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let key: string;
let recipient: { id: string; hash: string };
before(async () => {
  service = await startTestService();
  key = (await service.newMerchant()).apiKey;
  recipient = (await service.call('POST', '/recipients', { key, body: companyBody() })).body;
});
after(() => service.stop());

const read = (uuid: string, as = key) => service.call('GET', `/recipients/${uuid}`, { key: as });

describe('200', () => {
  it('finds a recipient by UUID in either case and by hash', async () => {
    for (const uuid of [recipient.id, recipient.id.toUpperCase(), recipient.hash]) {
      const { status, body } = await read(uuid);
      assert.equal(status, 200, uuid);
      assert.deepEqual(body, recipient);
    }
  });
});

describe('401', () => {
  it('has the message Unauthenticated', async () => {
    const answer = await service.call('GET', `/recipients/${recipient.id}`, { key: null });
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.body, { message: 'Unauthenticated.' });
  });
});

describe('404', () => {
  it('is the same for a recipient of another merchant and an unknown one', async () => {
    const stranger = (await service.newMerchant()).apiKey;
    const answers = [
      await read(recipient.id, stranger),
      await read(recipient.hash, stranger),
      await read('01a1fe6a-22b8-7a0d-aaba-4b156961c049'),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 404);
      assert.deepEqual(body, { error: 'Recipient not found.' });
    }
  });

  it('is the answer to every malformed identifier', async () => {
    const names = [
      '1',
      'x',
      `{${recipient.id}}`,
      recipient.id.replaceAll('-', ''),
      recipient.hash.toUpperCase(),
    ];
    const hostile = [
      '%00',
      'a%00b',
      '%',
      '%ff',
      '%E2%98%83',
      "'%20or%201=1--",
      'a'.repeat(8_000),
      '__proto__',
    ];
    for (const uuid of [...names.map(encodeURIComponent), ...hostile]) {
      const { status, body } = await read(uuid);
      assert.equal(status, 404, uuid);
      assert.deepEqual(body, { error: 'Recipient not found.' });
    }
  });
});
