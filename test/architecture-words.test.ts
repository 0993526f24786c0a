/** What the text of the files must not contain, and how long the lines of their comments are. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { longComments } from './support/architecture/long-comments.ts';
import { projectSources } from './support/architecture/sources.ts';
import { wireWords } from './support/architecture/wire-words.ts';
import { brokenRules, idleExcuses } from './support/architecture/words.ts';

const PROGRAMS = projectSources(/\.[jt]s$/);

const planted = (path: string, text: string) => [{ path, text }];

describe('code that is allowed only in certain files', () => {
  test('is only there', () => {
    assert.deepEqual(brokenRules(PROGRAMS), []);
  });

  test('needs every exception', () => {
    assert.deepEqual(idleExcuses(PROGRAMS), []);
  });

  const broken: [string, string][] = [
    ['services/a.ts', 'const port = process.env.PORT;'],
    ['handlers/http/a.ts', "const debug = process.env['DEBUG'];"],
    ['domain/a.ts', 'const now = Date.now();'],
    ['services/a.ts', 'const at = new Date();'],
    ['services/a.ts', 'const at = Temporal.Now.instant();'],
    ['domain/a.ts', 'const id = Math.random();'],
    ['services/a.ts', "await db.rows(scope, 'select id from payments where {scope}');"],
    ['handlers/a.ts', 'await q.execute(scope, `\n  update payments set status = :to`);'.replace('\n ', '')],
    ['services/a.ts', 'if (await moveOperationRow(tx, merchant, settled)) return;'],
    [
      'services/payments/run-operation.ts',
      'return settlePayment(deps, tx, merchant, payment, operation, outcome);',
    ],
    ['services/a.ts', "await db.anywhere('…');"],
    ['db/payments/payments.ts', 'await db.anywhere<PaymentRow>(sql);'],
    ['db/payments/payments.ts', 'await db.anywhere<{ slots: number }>(sql);'],
    ['services/orders/a.ts', "const isPix = 'pix' in order;"],
    ['services/payments/a.ts', 'if (payment.method === method) return;'],
    ['handlers/payments/a.ts', "return { credit_card: names['credit_card'] };"],
    ['services/checkout/a.ts', 'payment: { method, bankSlip: { dueAt } },'],
    ['services/checkout/a.ts', 'payment: { method, pix: { expiresAt } },'],
    ['services/payments/a.ts', "const { id } = payment['creditCard'];"],
    ['services/subscriptions/a.ts', "const FIELD = 'payment.pixRecurring.minAmount';"],
    ['handlers/checkout/a.ts', 'return body.credit_card?.encrypted;'],
    ['web/checkout/a.ts', 'const { payment, credit_card } = subscription;'],
    ['web/checkout/browser/a.js', 'const code = pix?.qr_code ?? null;'],
    ['gateway/simulator/a.ts', 'await notify(tx, { type: `bank_slip.paid` });'],
    ['domain/payments/a.ts', 'switch (payment.method) {'],
    ['gateway/simulator/a.ts', 'switch (method) {'],
    ['db/payments/a.ts', 'const card = payment.pix !== null ? 1 : 2;'],
    ['services/payments/a.ts', "if ('txid' in payment.details) return;"],
    ['test/db/a.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
    ['test/db/a.test.ts', 'await sleep(100);'],
  ];
  for (const [path, line] of broken) {
    test(`is reported: ${path} with ${line}`, () => {
      assert.equal(brokenRules(planted(path, `// fine\n${line}\n`)).length, 1);
    });
  }

  test('does not include a comment, a date from a number, and a search for slots', () => {
    assert.deepEqual(
      brokenRules(planted('services/a.ts', '// not new Date()\nnew Date(0);\n/** Date.now() */')),
      [],
    );
    assert.deepEqual(brokenRules(planted('db/a.ts', 'db.anywhere<{ slot: number }>(sql);')), []);
    assert.deepEqual(brokenRules(planted('services/payments/methods/a.ts', "const method = 'pix';")), []);
    assert.deepEqual(
      brokenRules(planted('services/a.ts', "import { newTxid } from './payments/methods/pix.ts';")),
      [],
    );
    assert.deepEqual(
      brokenRules(planted('handlers/http/a.ts', "if (request.method === 'POST') return;")),
      [],
    );
  });
});

describe('the sentences of domain and services', () => {
  test('name no part of a request', () => {
    assert.deepEqual(wireWords(projectSources()), []);
  });

  for (const line of [
    "notInThisState('Send POST /checkout/{hash}/payments.');",
    "new Refusal('in_progress', { message: 'This Idempotency-Key was used.' });",
    "violations.add('cursor', 'Must be the next_cursor of a page.');",
    `const sentence = \`Must be at most \${limit}, as recurring_amount is.\`;`,
  ]) {
    test(`a part of a request is reported: ${line}`, () => {
      assert.equal(wireWords(planted('domain/a.ts', line)).length, 1);
    });
  }

  test('a name of the domain, a log line and an internal error are not reported', () => {
    for (const line of [
      "violations.add('cursor', 'Must be the {nextCursor} of a page.');",
      `const sentence = \`Must be \${first_centavos} centavos.\`;`,
      "log.warn({ merchant_id }, 'the row of pepper_check is missing');",
      "throw new Error('The body_text of a call is missing.');",
    ]) {
      assert.deepEqual(wireWords(planted('services/a.ts', line)), []);
    }
  });
});

describe('comments', () => {
  const long = 'a'.repeat(120);

  test('have lines of at most 120 characters', () => {
    assert.deepEqual(longComments(projectSources()), []);
  });

  for (const line of [`// ${long}`, `  /** ${long} */`, `   * ${long}`, `const a = 1; // ${long}`]) {
    test(`a longer line is reported: ${line.slice(0, 20)}`, () => {
      assert.equal(longComments(planted('db/a.ts', `// fine\n${line}\n`)).length, 1);
    });
  }

  test('a long line of code, and the address of a page in it, are not reported', () => {
    const code = `const a = '${long}';\nconst b = 'https://example.com/${long}';`;
    assert.deepEqual(longComments(planted('db/a.ts', code)), []);
  });
});
