import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { PAYMENT_MOVES } from '../../domain/payment-transitions.ts';
import { MAGIC_VALUES } from '../../gateway/simulator/magic-values.ts';
import document from '../../generated/openapi.json' with { type: 'json' };
import { changeLogHtml } from '../../web/change-log.ts';
import { guideHtml, readGuides } from '../../web/guides.ts';
import { highlight } from '../../web/highlight.ts';
import { paymentDiagrams, paymentMoveTable } from '../../web/payment-states.ts';
import { RENDERER, referenceScript } from '../../web/reference-page.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers });

describe('what is served', () => {
  test('the renderer is compressed, kept for ever, and not sent twice', async () => {
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

  test('pages let scripts and requests be of this host only; the API keeps its own policy', async () => {
    for (const path of ['/docs', '/docs/guides/errors', '/docs/demo']) {
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

  test('no page of another origin can load the scripts that hold the demo key', async () => {
    for (const path of ['/docs/reference.js', '/docs/demo.js']) {
      const answer = await get(path);
      assert.match(await answer.text(), /pay_test_/);
      assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
    }
  });

  test('the card library is open to pages of other origins', async () => {
    for (const path of ['/lib/centavo.js', '/lib/centavo.mjs']) {
      const { headers } = await get(path);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    }
  });

  test('what is not there is a 404', async () => {
    for (const path of [
      '/docs/guides/nothing',
      '/docs/nothing',
      '/docs/assets/nothing.js',
      '/lib/nothing.js',
    ])
      assert.equal((await get(path)).status, 404, path);
  });

  test('each webhook is said to be not delivered yet, where it is shown', async () => {
    const { webhooks } = (await (await get('/docs/openapi.json')).json()) as typeof document;
    for (const { post } of Object.values(webhooks)) assert.match(post.description, /Not delivered yet/);
  });

  test('the order that the reference offers to try works as it stands', async () => {
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

  test('the key of the demo merchant stands in the script of the sandbox, which nobody may keep', async () => {
    const { headers } = await get('/docs/reference.js');
    assert.equal(headers.get('cache-control'), 'no-store');
    const kept = JSON.parse(await readFile(`${service.dataDir}/demo.json`, 'utf8'));
    assert.ok((await (await get('/docs/reference.js')).text()).includes(kept.apiKey));
    assert.doesNotMatch(referenceScript(null), /pay_|token/);
  });

  test('every link between the pages leads somewhere', async () => {
    const guides = (await readGuides()).map(({ slug }) => `/docs/guides/${slug}`);
    const own = [...guides, '/docs/demo', '/docs/openapi.json', '/docs'];
    const pages = await Promise.all(own.map(async (path) => (await get(path)).text()));
    const links = new Set(
      pages.flatMap((html) => [...html.matchAll(/(?:(?:href|src)="|\]\()(\/[^")]*)/g)].map(([, to]) => to!)),
    );
    assert.ok([...links].filter((link) => link.includes('#')).length > 3 * guides.length);
    for (const link of links) {
      const [path, anchor] = link.split('#') as [string, string?];
      const page = await get(path);
      assert.equal(page.status, 200, link);
      if (anchor !== undefined && path !== '/docs')
        assert.ok((await page.text()).includes(`id="${anchor}"`), link);
    }
  });
});

test('a sample in colours reads as it was written', async () => {
  const plain = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
  const coloured = new Set<string>();
  for (const { markdown } of await readGuides()) {
    for (const [, language, text] of markdown.matchAll(/^```(\w+).*\n([\s\S]*?)^```$/gm)) {
      const html = highlight(text!, language!);
      assert.equal(plain(html), text);
      if (html.includes('<span')) coloured.add(language!);
    }
  }
  assert.deepEqual([...coloured].sort(), ['go', 'html', 'java', 'js', 'json', 'python', 'rust', 'sh', 'ts']);
});

describe('what the guides tell is what the code does', () => {
  const guide = async (slug: string) =>
    (await (await get(`/docs/guides/${slug}`)).text()).replaceAll('&quot;', '"');

  test('every test value stands in its table', async () => {
    const html = await guide('testing');
    assert.deepEqual(
      MAGIC_VALUES.filter(({ value }) => !html.includes(`<code>${value}</code>`)),
      [],
    );
  });

  test('every status, move and event of a payment is shown', async () => {
    const html = await guide('payment-states');
    for (const [name, { from, to, events }] of Object.entries(PAYMENT_MOVES)) {
      assert.ok(html.includes(`>${name.replaceAll('_', ' ')}</td>`), name);
      for (const word of [...from, ...to, ...events]) assert.ok(html.includes(`<code>${word}</code>`), word);
      for (const status of [...from, ...to]) assert.ok(html.includes(`>${status}</text>`), status);
    }
  });

  test('every status that the contract knows is told with what to do', async () => {
    const html = await guide('payment-states');
    for (const status of document.components.schemas.PaymentStatus.enum)
      assert.match(html, new RegExp(`data-label="Status"><code>${status}</code></td>`));
  });

  test('a move that no chapter knows is drawn all the same', () => {
    const moves = {
      ...PAYMENT_MOVES,
      settle_late: { from: ['limbo'], to: ['paid'], events: ['payment.updated'] },
    };
    assert.match(paymentDiagrams(moves), />limbo<\/text>[\s\S]*>settle late<\/tspan>/);
    assert.match(paymentMoveTable(moves), />settle late<\/td><td[^>]*><code>limbo<\/code><\/td>/);
  });

  test('every error code of the contract and of the code is explained', async () => {
    const html = await guide('errors');
    const examples = [...JSON.stringify(document).matchAll(/"error":\{"code":"([a-z_]+)"/g)].map(
      ([, code]) => code!,
    );
    const refusals = document.components.schemas.RefusalCode.enum as string[];
    const codes = new Set([...examples, ...refusals]);
    assert.ok(codes.size > 20, [...codes].join(' '));
    assert.deepEqual(
      [...codes].filter((code) => !html.includes(`<code>${code}</code>`)),
      [],
    );
  });

  test('every outcome of a simulation is named', async () => {
    const html = await guide('testing');
    for (const outcome of document.components.schemas.SimulatedOutcome.enum)
      assert.ok(html.includes(`<code>${outcome}</code>`), outcome);
  });

  test('declared changes are listed newest first, and none is said in a sentence', async () => {
    assert.match(await changeLogHtml('changes: []'), /No breaking change/);
    const entry = (day: number) =>
      `  - {date: '2026-12-0${day}', kind: removed, where: 'A.b${day}', change: 'Send \`c\`.', reason: 'One <name>.'}`;
    const html = await changeLogHtml(`changes:\n${entry(1)}\n${entry(2)}\n`);
    assert.ok(html.indexOf('A.b2') < html.indexOf('A.b1'));
    assert.match(html, />2026-12-02<\/td><td[^>]*><code>A\.b2<\/code><\/td>/);
  });

  test('a place in a guide that nothing fills is an error', () => {
    const hole = { slug: 'x', title: 'X', markdown: '# X\n\n<!-- nothing here -->\n' };
    assert.throws(() => guideHtml(hole, {}), /Nothing fills the place "nothing here" of the guide x/);
  });
});
