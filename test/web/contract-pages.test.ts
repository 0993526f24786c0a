import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import document from '../../generated/openapi.json' with { type: 'json' };
import { clientCopy } from '../../scripts/clients/client-copy.ts';
import { readGuides } from '../../web/guides.ts';
import { startTestService, type TestService } from '../support/service.ts';

describe('the contract is served', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());

  const get = (path: string) => fetch(`${service.url}${path}`);

  test('as it is, for everyone to read', async () => {
    const answer = await get('/openapi.json');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.match(answer.headers.get('content-type')!, /^application\/json/);
    assert.deepEqual(await answer.json(), document);
    const yaml = await get('/openapi.yaml');
    assert.equal(yaml.status, 200);
    assert.match(yaml.headers.get('content-type')!, /^application\/yaml/);
  });

  test('in the form that client generators read best', async () => {
    const answer = await get('/openapi-clients.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(await answer.json(), clientCopy(document));
  });

  test('and each page that names the one names the other', async () => {
    const guides = (await readGuides()).map(({ slug }) => `/docs/guides/${slug}`);
    const naming: string[] = [];
    for (const page of ['/docs', ...guides]) {
      const html = await (await get(page)).text();
      if (!/[">]\/openapi\.(json|yaml)/.test(html)) continue;
      naming.push(page);
      assert.match(html, /[">]\/openapi-clients\.json/, page);
    }
    assert.ok(naming.includes('/docs/guides/partners') && naming.length > 2, naming.join());
  });
});
