/** Hostile values in every query parameter of the contract. No answer may be undocumented. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const shop = await Shop.open(service);
await changeMerchant(service.deps, shop.account, { rateLimitPerMinute: 1_000_000 });

const VALUES = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e999',
  '99999999999999999999',
  '9223372036854775808',
  'true',
  'null',
  'undefined',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  UNKNOWN_ID,
  UNKNOWN_ID.replaceAll('-', ''),
  '{01a1ff1f-49b8-74d4-b96f-58da6d4a8512}',
  "' or 1=1 --",
  '%',
  '_',
  '\\',
  '\0',
  'a\r\nX-Evil: 1',
  '\u202egnirts',
  'İ',
  'a'.repeat(5_000),
  '0001-01-01',
  '9999-12-31T23:59:59.999999Z',
  'eyJhIjoxfQ',
  'eyJhIjoxfQ==',
].map(encodeURIComponent);
/** Bytes that are no text. */
const BROKEN = ['%', '%zz', '%ff', '%ED%A0%80'];

const { document, operations } = loadContract();

function resolved(node: Json): Json {
  if (node.$ref === undefined) return node;
  return resolved(
    node.$ref
      .slice(2)
      .split('/')
      .reduce((target: Json, part: string) => target[part], document),
  );
}

const parameters = [...operations.values()].flatMap(({ operationId, method, path }) =>
  ((document as Json).paths[path][method].parameters ?? [])
    .map(resolved)
    .filter((parameter: Json) => parameter.in === 'query' && parameter.name !== 'wait')
    .map(({ name }: Json) => ({ operationId, method, path, name })),
);

describe('a hostile value of a query parameter', () => {
  it('is tried in every parameter', () => assert.ok(parameters.length >= 60, `${parameters.length}`));

  for (const { operationId, method, path, name } of parameters) {
    it(`gets a documented answer: ${name} of ${operationId}`, async () => {
      const there = path.replaceAll(/\{\w+\}/g, UNKNOWN_ID);
      const queries = [...VALUES, ...BROKEN].map((value) => `${name}=${value}`);
      for (const query of [...queries, name, `${name}=1&${name}=2`, `${name}[]=1`, `${name}[a][b]=1`]) {
        const { status, text } = await shop.call(method.toUpperCase(), `${there}?${query}`);
        assert.ok(status < 500, `${there}?${query.slice(0, 80)} answered ${status}: ${text}`);
      }
    });
  }
});
