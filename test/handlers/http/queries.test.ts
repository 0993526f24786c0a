import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

describe('an unknown query parameter', () => {
  // Operations without a key refuse other things first: test/handlers/checkout, test/handlers/wallet.
  const keyed = [...loadContract().operations.values()].filter(({ isOpen }) => !isOpen);
  for (const { operationId, method, path, takesBody } of keyed) {
    it(`is refused by ${operationId} with the documented body`, async () => {
      const there = path.replace(/\{\w+\}/, '0197f6f0-0000-7000-8000-000000000000');
      const body = takesBody ? { body: {} } : {};
      const { status, text } = await service.call(method.toUpperCase(), `${there}?expand=payment`, body);
      assert.equal(status, 422);
      assert.match(text, /"expand":\["This field is not known\."\]/);
    });
  }

  it('is refused also after a thousand others', async () => {
    const { status, body } = await service.call('GET', `/customers?${'&'.repeat(1_000)}expand=payment`);
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors), ['expand']);
  });
});

describe('an integer query parameter', () => {
  for (const text of ['0x10', '0b11', '1e1', '5.0', '%205', '5%20', '+5', '%2B5', '']) {
    it(`must not be ${text === '' ? 'empty' : text}`, async () => {
      const { status, body } = await service.call('GET', `/payments?per_page=${text}&amount_min=${text}`);
      assert.equal(status, 422);
      assert.deepEqual(body.errors, {
        per_page: ['Must be an integer.'],
        amount_min: ['Must be an integer.'],
      });
    });
  }

  it('may be 5 or 05', async () => {
    for (const text of ['5', '05']) {
      const { body } = await service.call('GET', `/payments?per_page=${text}`);
      assert.equal(body.pagination.per_page, 5);
    }
  });
});
