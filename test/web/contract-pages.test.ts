import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import document from '../../generated/openapi.json' with { type: 'json' };
import { clientCopy } from '../../scripts/clients/client-copy.ts';
import { readGuides } from '../../web/guides.ts';
import { startTestService, type TestService } from '../support/service.ts';

describe('the contract', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());

  const get = (path: string) => fetch(`${service.url}${path}`);

  test('is served as JSON and YAML, without a key and to pages of any origin', async () => {
    const answer = await get('/openapi.json');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.match(answer.headers.get('content-type')!, /^application\/json/);
    assert.deepEqual(await answer.json(), document);
    const yaml = await get('/openapi.yaml');
    assert.equal(yaml.status, 200);
    const expected = await readFile(new URL('../../generated/openapi.yaml', import.meta.url), 'utf8');
    assert.equal(await yaml.text(), expected);
    assert.match(yaml.headers.get('content-type')!, /^application\/yaml/);
  });

  test('is served in the form for client generators', async () => {
    const answer = await get('/openapi-clients.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(await answer.json(), clientCopy(document));
  });

  test('is linked in both forms by each page that links to it', async () => {
    const guides = (await readGuides()).map(({ slug }) => `/docs/guides/${slug}`);
    const linking: string[] = [];
    for (const page of ['/docs', ...guides]) {
      const html = await (await get(page)).text();
      if (!/[">]\/openapi\.(json|yaml)/.test(html)) continue;
      linking.push(page);
      assert.match(html, /[">]\/openapi-clients\.json/, page);
    }
    assert.ok(linking.includes('/docs/guides/partners') && linking.length > 2, linking.join());
  });
});
