import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { exampleBody } from '../../support/http/contract-fields.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** Path segments that name nothing: text that cannot be stored or decoded, or is longer than any identifier. */
const NAMELESS = [
  '%00',
  'a%00b',
  '%zz',
  '%',
  '%E0%A4%A',
  '%ED%A0%80',
  'a%20b',
  '%F0%9F%92%B8',
  'a'.repeat(4_000),
];

const { document, operations: all } = loadContract();
const operations = [...all.values()].filter(({ path }) => path.includes('{'));

describe('an unknown identifier in the path', () => {
  it('is tested for every operation that has one', () => {
    assert.ok(operations.filter(({ method }) => method === 'post').length >= 5);
  });

  for (const operation of operations) {
    const { operationId, method, path, takesBody } = operation;
    it(`gets a documented refusal from ${operationId}, the same with an Idempotency-Key as without`, async () => {
      for (const segment of NAMELESS) {
        const there = path.replaceAll(/\{\w+\}/g, () => segment);
        const body = takesBody ? { body: exampleBody(document, path, method) } : {};
        const plain = await service.call(method.toUpperCase(), there, body);
        assert.ok([400, 404, 422].includes(plain.status), `${there} answered ${plain.status}`);
        const idempotencyKey = randomUUID();
        for (const attempt of ['first', 'second']) {
          const keyed = await service.call(method.toUpperCase(), there, { ...body, idempotencyKey });
          assert.equal(keyed.status, plain.status, `${segment.slice(0, 20)}, ${attempt} time`);
          assert.equal(keyed.text, plain.text);
        }
      }
    });
  }
});
