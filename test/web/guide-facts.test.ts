import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PAYMENT_STATUS_MOVES } from '../../domain/payments/payment-status-moves.ts';
import { MAGIC_VALUES } from '../../gateway/simulator/magic-values.ts';
import document from '../../generated/openapi.json' with { type: 'json' };
import { changeLogHtml } from '../../web/change-log.ts';
import { guideHtml, readGuides } from '../../web/guides.ts';
import { highlight } from '../../web/highlight.ts';
import { wordsOf } from '../../web/move-words.ts';
import { paymentDiagrams, paymentMoveTable } from '../../web/payment-states.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

const get = (path: string) => fetch(`${service.url}${path}`);

test('a highlighted sample has the text of its source', async () => {
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

describe('the tables of the guides match the code', () => {
  const guide = async (slug: string) =>
    (await (await get(`/docs/guides/${slug}`)).text()).replaceAll('&quot;', '"');

  test('every test value is in its table', async () => {
    const html = await guide('testing');
    assert.deepEqual(
      MAGIC_VALUES.filter(({ value }) => !html.includes(`<code>${value}</code>`)),
      [],
    );
  });

  test('every status, transition and event of a payment is shown', async () => {
    const html = await guide('payment-states');
    for (const [name, { from, to, events }] of Object.entries(PAYMENT_STATUS_MOVES)) {
      assert.ok(html.includes(`>${wordsOf(name)}</td>`), name);
      for (const word of [...from, ...to, ...events]) assert.ok(html.includes(`<code>${word}</code>`), word);
      for (const status of [...from, ...to]) assert.ok(html.includes(`>${status}</text>`), status);
    }
  });

  test('every transition has a description, in the table and on the arrows', async () => {
    const html = await guide('payment-states');
    const diagrams = html.replaceAll('</tspan>', ' ').replaceAll(/<[^>]*>/g, '');
    for (const [name, { from, to }] of Object.entries(PAYMENT_STATUS_MOVES)) {
      assert.notEqual(wordsOf(name), name.replaceAll('_', ' '), `${name} has no words in web/move-words.ts`);
      assert.ok(!html.includes(name.replaceAll('_', ' ')) || !name.includes('_'), name);
      // A move that never changes the status has no arrow.
      assert.ok(to.length === 0 || from.some((status) => diagrams.includes(wordsOf(name, status))), name);
    }
  });

  test('every sequence of events in the contract is drawn, with its steps and events', async () => {
    const html = await guide('event-sequences');
    for (const [name, { title, steps }] of Object.entries(document['x-event-sequences'])) {
      const [, drawing = ''] = html.split(`<h3 id="${name.replaceAll('_', '-')}">${title}</h3>`);
      const drawn = drawing.split('</figure>')[0]!.replaceAll(/<[^>]*>/g, ' ');
      const texts = steps.flatMap((step) => [
        step.title,
        ...step.events.flatMap(({ event, status }) => [event, status]),
      ]);
      assert.deepEqual(
        texts.filter((text) => !drawn.includes(text)),
        [],
        name,
      );
    }
  });

  test('every status of the contract is explained with what to do', async () => {
    const html = await guide('payment-states');
    for (const status of document.components.schemas.PaymentStatus.enum)
      assert.match(html, new RegExp(`data-label="Status"><code>${status}</code></td>`));
  });

  test('the diagram of payments by card has no arrow of payments by Pix, and no label twice', () => {
    const [, byCard] = paymentDiagrams(PAYMENT_STATUS_MOVES).split('<h3');
    const labels = [...byCard!.matchAll(/<text[^>]*>(.*?)<\/text>/gs)].map(([, html]) =>
      html!
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/ +/g, ' ')
        .trim(),
    );
    const toPaid = labels.filter((label) => /capture|known/.test(label));
    assert.deepEqual([...new Set(toPaid)].sort(), ['capture succeeds', 'money is captured']);
  });

  test('a transition without a chapter is drawn, too', () => {
    const moves = {
      ...PAYMENT_STATUS_MOVES,
      settle_late: { from: ['limbo'], to: ['paid'], events: ['payment.updated'] },
    };
    const diagrams = paymentDiagrams(moves);
    assert.match(diagrams, />limbo<\/text>/);
    assert.match(diagrams, />settle<\/tspan><tspan[^>]*>late<\/tspan>/);
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

  test('every operation is listed under the permission that it needs', async () => {
    const html = await guide('authentication');
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item)) as {
      summary: string;
      'x-permission': string;
      security?: readonly object[];
    }[];
    assert.ok(operations.length > 20);
    const keyed = operations.filter(({ security }) => security === undefined);
    for (const { summary, 'x-permission': permission } of keyed) {
      const row = new RegExp(`<code>${permission}</code></td><td[^>]*>([^<]*, )?${summary}[,<]`);
      assert.match(html, row);
    }
  });

  test('every outcome of a simulation is named', async () => {
    const html = await guide('testing');
    for (const outcome of document.components.schemas.SimulatedOutcome.enum)
      assert.ok(html.includes(`<code>${outcome}</code>`), outcome);
  });

  test('declared changes are listed newest first; without any, a sentence says so', async () => {
    assert.match(await changeLogHtml('changes: []'), /no breaking changes/);
    const entry = (day: number) =>
      `  - {date: '2026-12-0${day}', kind: removed, where: 'A.b${day}', change: 'Send \`c\`.', reason: 'One <name>.'}`;
    const html = await changeLogHtml(`changes:\n${entry(1)}\n${entry(2)}\n`);
    assert.ok(html.indexOf('A.b2') < html.indexOf('A.b1'));
    assert.match(html, />2026-12-02<\/td><td[^>]*><code>A\.b2<\/code><\/td>/);
  });

  test('a placeholder in a guide without content is an error', () => {
    const hole = { slug: 'x', title: 'X', markdown: '# X\n\n<!-- nothing here -->\n' };
    assert.throws(() => guideHtml(hole, {}), /Nothing fills the place "nothing here" of the guide x/);
  });

  for (const misspelled of [
    '<!--here-->',
    '<!-- Here -->',
    '<!-- he_re -->',
    '<!-- her\ne -->',
    '<!-- here ->',
  ]) {
    test(`a misspelled placeholder in a guide is an error: ${JSON.stringify(misspelled)}`, () => {
      const guide = { slug: 'x', title: 'X', markdown: `# X\n\n${misspelled}\n` };
      assert.throws(() => guideHtml(guide, { here: 'filled' }), /Nothing fills the place .* of the guide x/s);
    });
  }

  test('a placeholder in a sample of a guide is shown as it is', () => {
    const guide = { slug: 'x', title: 'X', markdown: '# X\n\n```html\n<!-- here -->\n```\n' };
    assert.doesNotMatch(guideHtml(guide, { here: 'filled' }), /filled/);
  });
});
