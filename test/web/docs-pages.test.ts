import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import document from '../../generated/openapi.json' with { type: 'json' };
import { readGuides } from '../../web/guides.ts';
import { RENDERER } from '../../web/reference-page.ts';
import { referenceScript } from '../../web/reference-script.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers });

describe('the pages of the docs', () => {
  test('the renderer is compressed and cached, and not sent twice', async () => {
    const first = await get(RENDERER.path, { 'accept-encoding': 'br' });
    assert.equal(first.headers.get('content-encoding'), 'br');
    assert.match(first.headers.get('cache-control')!, /immutable/);
    const again = await get(RENDERER.path, {
      'accept-encoding': 'br',
      'if-none-match': first.headers.get('etag')!,
      'cache-control': 'max-age=0',
    });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
    const plain = await get(RENDERER.path, { 'accept-encoding': 'identity' });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.deepEqual(Buffer.from(await plain.arrayBuffer()), Buffer.from(await RENDERER.load()));
    assert.notEqual(plain.headers.get('etag'), first.headers.get('etag'));
  });

  test('no style of the reference has :has on the whole page, which makes each change of the page slow', async () => {
    const styles = await (await get('/docs/assets/reference.css')).text();
    assert.doesNotMatch(styles, /(?:html|body|:root|\*)[\w.-]*:has\(/);
  });

  test('what a browser transfers to search is small', async () => {
    for (const [path, limit] of [
      ['/docs/search.json', 80_000],
      ['/docs/assets/search-panel.js', 15_000],
    ] as const) {
      const { headers } = await get(path, { 'accept-encoding': 'br' });
      const size = Number(headers.get('content-length'));
      assert.equal(headers.get('content-encoding'), 'br');
      assert.ok(size > 1000 && size < limit, `${path} has ${size} bytes`);
    }
  });

  test('the policy of pages allows scripts and requests of this host only; the API has its own policy', async () => {
    for (const path of [
      '/docs',
      '/docs/reference',
      '/docs/guides/errors',
      '/docs/demo',
      '/docs/webhook-tester',
    ]) {
      const page = await get(path);
      assert.equal(page.status, 200);
      const policy = page.headers.get('content-security-policy')!;
      assert.match(policy, /default-src 'none'; script-src 'self';/);
      assert.match(policy, /connect-src 'self'/);
      assert.doesNotMatch(policy, /unsafe-eval|https?:|\*/);
      assert.doesNotMatch(await page.text(), /(src|href)="(https?:)?\/\//);
    }
    const api = await get('/api/v1/merchant');
    assert.equal(api.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
  });

  test('pages of other origins cannot load the scripts with the demo key', async () => {
    for (const path of ['/docs/reference.js', '/docs/demo.js']) {
      const answer = await get(path);
      assert.match(await answer.text(), /pay_test_/);
      assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
    }
  });

  test('pages of other origins can load the card library', async () => {
    for (const path of ['/lib/centavo.js', '/lib/centavo.mjs']) {
      const { headers } = await get(path);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    }
  });

  test('the root redirects to the docs', async () => {
    const answer = await fetch(service.url);
    assert.equal(answer.status, 200);
    assert.equal(new URL(answer.url).pathname, '/docs');
  });

  test('each webhook links to the guide that says how to receive it', async () => {
    const { webhooks } = (await (await get('/docs/openapi.json')).json()) as typeof document;
    for (const { post } of Object.values(webhooks))
      assert.match(post.description, /\/docs\/guides\/webhooks/);
  });

  test('the example order of the reference can be sent unchanged', async () => {
    const shown = (await (await get('/docs/openapi.json')).json()) as typeof document;
    const { examples } = shown.paths['/charges/orders'].post.requestBody.content['application/json'];
    const [first] = Object.values(examples) as { $ref: string }[];
    const { value } = shown.components.examples[first!.$ref.split('/').at(-1) as 'order-pix-request'];
    const { status, text } = await service.call('POST', '/charges/orders', { body: value });
    assert.equal(status, 201, text);
  });

  test('HEAD is answered without a body', async () => {
    const { status, headers } = await fetch(`${service.url}/docs`, { method: 'HEAD' });
    assert.equal(status, 200);
    assert.ok(Number(headers.get('content-length')) > 0);
  });

  test('the key of the demo merchant is in a script that must not be cached', async () => {
    const { headers } = await get('/docs/reference.js');
    assert.equal(headers.get('cache-control'), 'no-store');
    const kept = JSON.parse(await readFile(`${service.dataDir}/demo.json`, 'utf8'));
    assert.ok((await (await get('/docs/reference.js')).text()).includes(kept.apiKey));
    assert.doesNotMatch(referenceScript(null), /pay_|token/);
  });

  test('no style is behind a script, where Chromium may cancel its early request and repeat it', async () => {
    const guides = (await readGuides()).map(({ slug }) => `/docs/guides/${slug}`);
    for (const path of ['/docs', '/docs/reference', '/docs/demo', '/docs/webhook-tester', ...guides]) {
      const head = (await (await get(path)).text()).split('</head>')[0]!;
      assert.ok(head.lastIndexOf('<link rel="stylesheet"') < head.indexOf('<script'), path);
    }
  });

  test('every link between the pages has a target', async () => {
    const guides = (await readGuides()).map(({ slug }) => `/docs/guides/${slug}`);
    const programs = ['/docs/demo', '/docs/webhook-tester'];
    const own = [...guides, ...programs, '/docs/openapi.json', '/docs', '/docs/reference', '/docs/404'];
    const pages = await Promise.all(own.map(async (path) => (await get(path)).text()));
    const links = new Set(
      pages.flatMap((html) => [...html.matchAll(/(?:(?:href|src)="|\]\()(\/[^")]*)/g)].map(([, to]) => to!)),
    );
    assert.ok([...links].filter((link) => link.includes('#')).length > 3 * guides.length);
    for (const link of links) {
      const [path, anchor] = link.split('#') as [string, string?];
      const page = await get(path);
      assert.equal(page.status, 200, link);
      // Its parts are made by the renderer: search-browser.test.ts looks for them there.
      if (anchor !== undefined && path !== '/docs/reference')
        assert.ok((await page.text()).includes(`id="${anchor}"`), link);
    }
  });
});
