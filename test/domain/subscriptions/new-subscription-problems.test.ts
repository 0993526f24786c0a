import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  mandateProblems,
  newSubscriptionProblems,
  type RequestedPlan,
  requestedPlan,
} from '../../../domain/subscriptions/new-subscription-problems.ts';

const NOW = new Date('2026-03-10T15:00:00Z');
const OFFER: NonNullable<RequestedPlan['offer']> = {
  id: 'o',
  type: 'recurring',
  state: 'active',
  interval: 'monthly',
  cycles: [
    { start: 1, end: 3, amount_centavos: 2_990 },
    { start: 4, end: null, amount_centavos: 4_990 },
  ],
};
const OWN: RequestedPlan = {
  method: 'credit_card',
  offer: null,
  interval: 'monthly',
  amount_centavos: 4_990,
  startAt: null,
};
const OF_OFFER: RequestedPlan = { ...OWN, offer: OFFER, interval: null, amount_centavos: null };

const aboutOf = (request: RequestedPlan) => newSubscriptionProblems(request, NOW).map(({ about }) => about);

describe('the plan of a new subscription', () => {
  test('is the interval and the price ladder of its offer', () => {
    assert.deepEqual(requestedPlan(OF_OFFER), {
      offerId: 'o',
      interval: 'monthly',
      ladder: OFFER.cycles,
    });
  });

  test('without an offer has one price for all cycles', () => {
    assert.deepEqual(requestedPlan(OWN), {
      offerId: null,
      interval: 'monthly',
      ladder: [{ start: 1, end: null, amount_centavos: 4_990 }],
    });
  });
});

describe('a new subscription', () => {
  const cases: readonly (readonly [title: string, request: RequestedPlan, about: readonly string[]])[] = [
    ['with a price of its own is accepted', OWN, []],
    ['of an offer is accepted', OF_OFFER, []],
    [
      'of an offer may repeat its interval and first price',
      { ...OWN, offer: OFFER, amount_centavos: 2_990 },
      [],
    ],
    ['of an offer may not have another interval', { ...OF_OFFER, interval: 'yearly' }, ['interval']],
    ['of an offer may not have another price', { ...OF_OFFER, amount_centavos: 4_990 }, ['amount_centavos']],
    ['may not be of an archived offer', { ...OF_OFFER, offer: { ...OFFER, state: 'archived' } }, ['offerId']],
    [
      'may not be of an offer that is paid once',
      { ...OF_OFFER, offer: { ...OFFER, type: 'one_time', interval: null, cycles: [] } },
      ['offerId'],
    ],
    ['of its own is not free', { ...OWN, amount_centavos: 0 }, ['amount_centavos']],
    ['needs a price without an offer', { ...OWN, amount_centavos: null }, ['amount_centavos']],
    ['by card may not be weekly', { ...OWN, interval: 'weekly' }, ['interval']],
    ['by Pix recurring may be weekly', { ...OWN, method: 'pix_recurring', interval: 'weekly' }, []],
    [
      'by Pix recurring may not be quarterly without an offer',
      { ...OWN, method: 'pix_recurring', interval: 'quarterly' },
      ['interval'],
    ],
    ['may start later today', { ...OWN, startAt: new Date('2026-03-10T20:00:00Z') }, []],
    ['may start with today', { ...OWN, startAt: new Date('2026-03-10T03:00:00Z') }, []],
    ['may not start yesterday', { ...OWN, startAt: new Date('2026-03-10T02:59:59Z') }, ['startAt']],
    [
      'may not start more than 5 years ahead',
      { ...OWN, startAt: new Date('2031-03-11T15:00:00Z') },
      ['startAt'],
    ],
  ];
  for (const [title, request, about] of cases) test(title, () => assert.deepEqual(aboutOf(request), about));
});

describe('a mandate', () => {
  const plan = requestedPlan(OF_OFFER)!;
  const oneprice = requestedPlan(OWN)!;
  const aboutMandate = (of: typeof plan, fixed: number | null, minimum: number | null) =>
    mandateProblems(of, { recurringAmount_centavos: fixed, minAmount_centavos: minimum }).map(
      ({ about }) => about,
    );

  test('with a fixed amount needs one price for all cycles, equal to it', () => {
    assert.deepEqual(aboutMandate(oneprice, 4_990, null), []);
    assert.deepEqual(aboutMandate(oneprice, 4_991, null), ['recurringAmount_centavos']);
    assert.deepEqual(aboutMandate(plan, 4_990, null), ['recurringAmount_centavos']);
  });

  test('with a minimum allows every price from the minimum on', () => {
    assert.deepEqual(aboutMandate(plan, null, 2_990), []);
    assert.deepEqual(aboutMandate(plan, null, 2_991), ['minAmount_centavos']);
  });

  test('that is refused names a cycle and its price', () => {
    const sentences = [
      mandateProblems(oneprice, { recurringAmount_centavos: 4_991, minAmount_centavos: null }),
      mandateProblems(oneprice, { recurringAmount_centavos: null, minAmount_centavos: 4_991 }),
    ].map(([problem]) => problem?.sentence);
    assert.deepEqual(sentences, [
      'Must be the price of every cycle: cycle 1 is charged 4990 centavos.',
      'Must be at most the lowest price of a cycle: cycle 1 is charged 4990 centavos.',
    ]);
  });

  test('has a fixed amount or a minimum, but not both', () => {
    assert.deepEqual(aboutMandate(oneprice, 4_990, 4_990), ['minAmount_centavos']);
    assert.deepEqual(aboutMandate(plan, null, null), []);
  });
});
