/** The docs show what happens: each example answer, and each event, is like one that the running service gave here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Json } from '../support/service.ts';
import { documentedAnswers } from './dredd/documented-answers.ts';
import { type AnswersGiven, answersGiven } from './examples/answers-given.ts';
import { type DocumentedExample, documentedExamples } from './examples/documented-examples.ts';
import { difference } from './examples/likeness.ts';

/** Examples that are not brought about here, each with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'Unavailable service_unavailable':
    'The database must be gone or stuck: test/handlers/sandbox/simulate-payment-refusals.test.ts.',
  'ping ping': 'Only a receiver gets it: test/jobs/webhooks/deliveries.test.ts.',
  'advanceClock 202 clock_advancing':
    'Shown before its first step. Its steps and events are those of a 200, which the service gave.',
};

const document: Json = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8'),
);
const answers = [...documentedAnswers(document).values()];
const examples = documentedExamples(document, answers);

describe('the examples of the contract', () => {
  let given: AnswersGiven;
  before(async () => {
    given = await answersGiven(document, answers);
  });

  /** Null for an example that was given; else how it differs from what was. */
  function untruth({ places, value }: DocumentedExample): string | null {
    const differences = places
      .flatMap((place) => given.get(place) ?? [])
      .map((body) => difference(value, body));
    if (differences.includes(null)) return null;
    return differences.length === 0 ? 'no such answer was given' : [...new Set(differences)].join('\n');
  }

  it('are found', () => {
    assert.ok(examples.length > 100);
    assert.equal(new Set(examples.map(({ name }) => name)).size, examples.length);
  });

  it('were all returned, except those with a reason', () => {
    const untrue = examples.filter((example) => untruth(example) !== null);
    assert.deepEqual(
      untrue
        .filter(({ name }) => !(name in ELSEWHERE))
        .map((example) => `${example.name}: ${untruth(example)}`),
      [],
    );
    assert.deepEqual(untrue.map(({ name }) => name).sort(), Object.keys(ELSEWHERE).sort());
  });

  const lies: [string, string, (value: Json) => void][] = [
    ['a field that is never there', 'createOrder 201 order_pix', (value) => (value.payment.fee = 12)],
    ['a field left out', 'createOrder 201 order_card', (value) => delete value.payment.hash],
    ['an item of another form', 'listPayments 200 payment_page', (value) => delete value.data[0].status],
    [
      'a status that it never has',
      'cancelPayment 200 payment_canceled',
      (value) => (value.status = 'expired'),
    ],
    ['an amount below nothing', 'createRefund 201 refund_succeeded', (value) => (value.amount = -5)],
    [
      'nothing taken where something was',
      'getPayment 200 payment_pix_paid',
      (value) => (value.captured_amount = 0),
    ],
    ['another sentence', 'NotFound not_found', (value) => (value.message = 'Payment was not found.')],
    ['null for a text', 'getMerchant 200 merchant', (value) => (value.name = null)],
    ['another code', 'NotFound not_found', (value) => (value.code = 'gone')],
    ['data of another event', 'payment.expired expired', (value) => (value.event = 'payment.refused')],
  ];
  for (const [what, name, change] of lies) {
    it(`would fail with ${what}`, () => {
      const example = structuredClone(examples.find((one) => one.name === name));
      assert.ok(example, `there is no ${name}`);
      change(example.value);
      assert.notEqual(untruth(example), null);
    });
  }
});
