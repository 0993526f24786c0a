/**
 * Every event of a subscription, by each of its causes: it is emitted once, in the transaction that changes the
 * subscription. `test/domain/subscriptions/moves.test.ts` has the events of each move.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import type { SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import {
  authorize,
  authorized,
  endMandate,
  requested,
  scriptCharges,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { changePlan, offerOf, script } from '../../support/subscriptions/plan-change-calls.ts';
import { NO_FUNDS, STOLEN, subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });

const today = merchantDay(new Date());
const month = (count: number) => billingDate({ start: today, interval: 'monthly' }, count);

const PAID = 'charge_succeeded activated updated';
const RENEWED = 'charge_succeeded updated';
const CANCELED = 'canceled inactivated';

type Start = (shop: Shop) => Promise<Json>;
type Act = (shop: Shop, subscription: Json) => Promise<unknown>;

const byCard =
  (fields: object = {}, number?: string): Start =>
  (shop) =>
    subscribed(shop, fields, number);
const byBoleto: Start = (shop) => created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
const byPixRecurring: Start = (shop) => authorized(shop);
const withQrCode =
  (fields: object = {}): Start =>
  (shop) =>
    requested(shop, fields);
const after =
  (start: Start, act: Act): Start =>
  async (shop) => {
    const subscription = await start(shop);
    await act(shop, subscription);
    return subscription;
  };
const withLadder =
  (...cycles: object[]): Start =>
  async (shop) =>
    subscribed(shop, { offer_id: await offerOf(shop, 1, { cycles }), interval: undefined });

const to =
  (day: string): Act =>
  (shop) =>
    advance(shop, { to: `${day}T06:00:00-03:00` });
const cancel: Act = (shop, { id }) => shop.post('/subscriptions/cancel', { id });
const simulate =
  (outcome: SimulatedOutcome): Act =>
  (shop, { payment }) =>
    shop.simulate(payment.id, outcome);
const scripted =
  (...outcomes: string[]): Act =>
  (shop, { card_id }) =>
    script(shop, card_id, ...outcomes);
const refuseCharge: Act = (shop, { customer_id }) => scriptCharges(shop, customer_id, 'insufficient_funds');
const toGoodCard: Act = async (shop, { id, customer_id }) => {
  const credit_card = { id: await shop.card(customer_id, '5555555555554444') };
  const body = { payment_method: 'credit_card', credit_card };
  return shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
};
const change =
  (amount: number, effective: string): Act =>
  async (shop, { id }) =>
    changePlan(shop, id, { offer_id: await offerOf(shop, amount), effective });
const authorizeIt: Act = (shop, { id }) => authorize(shop, id);

const trial = byCard({ trial_days: 5 });
const canceled = after(byCard(), cancel);
const paidByBoleto = after(byBoleto, simulate('paid'));
const scheduled = after(byPixRecurring, to(addDays(month(1), -3)));
const asksForMandate = after(byCard(), (shop, { id }) =>
  shop.call('PUT', `/subscriptions/${id}/payment-method`, {
    body: { payment_method: 'pix_recurring', pix_recurring: {} },
  }),
);
const late = after(after(byCard(), scripted('insufficient_funds', 'insufficient_funds')), to(month(1)));

/**
 * What causes events, the events without `subscription.` in their order, the subscription before (null: the cause
 * creates it), and the cause.
 */
const CAUSES: readonly (readonly [name: string, events: string, start: Start | null, cause: Act])[] = [
  ['a creation with a trial', 'created', null, trial],
  ['a creation that starts later', 'created', null, byCard({ start_at: addDays(today, 5) })],
  ['a creation by boleto', 'created', null, byBoleto],
  ['a creation by Pix recurring', 'created', null, withQrCode()],
  ['a creation by card', `created ${PAID}`, null, byCard()],
  ['a creation by a card that is refused', 'created charge_failed past_due', null, byCard({}, NO_FUNDS)],
  ['a creation by a stolen card', 'created charge_failed unpaid', null, byCard({}, STOLEN)],
  ['the first charge after a trial', PAID, trial, to(addDays(today, 5))],
  [
    'the first charge after a trial, refused',
    'charge_failed past_due',
    byCard({ trial_days: 5 }, NO_FUNDS),
    to(addDays(today, 5)),
  ],
  ['a renewal', RENEWED, byCard(), to(month(1))],
  [
    'a renewal of 0',
    RENEWED,
    withLadder({ start: 1, end: 1, amount: 4_990 }, { start: 2, end: null, amount: 0 }),
    to(month(1)),
  ],
  [
    'a renewal that is refused',
    'charge_failed past_due',
    after(byCard(), scripted('insufficient_funds')),
    to(month(1)),
  ],
  [
    'a renewal that is refused for good',
    'charge_failed unpaid',
    after(byCard(), scripted('stolen_card')),
    to(month(1)),
  ],
  ['a retry that is refused', 'charge_failed', late, to(addDays(month(1), 1))],
  ['a retry that is approved', PAID, after(late, to(addDays(month(1), 1))), to(addDays(month(1), 3))],
  [
    'the last retry, refused',
    'charge_failed unpaid',
    after(byCard({}, NO_FUNDS), to(addDays(today, 6))),
    to(addDays(today, 7)),
  ],
  ['another card for an unpaid cycle', `updated ${PAID}`, byCard({}, STOLEN), toGoodCard],
  ['another card', 'updated', byCard(), toGoodCard],
  ['a boleto that is paid', PAID, byBoleto, simulate('paid')],
  ['a boleto that is not paid', 'charge_failed past_due', byBoleto, to(addDays(today, 7))],
  ['a mandate with its first charge', PAID, withQrCode(), authorizeIt],
  ['a mandate with a trial', 'updated', withQrCode({ trial_days: 7 }), authorizeIt],
  ['a QR code that expires', 'ended', withQrCode(), (shop) => advanceBy(shop, 31 * MINUTE_MS)],
  ['a renewal by Pix recurring', RENEWED, byPixRecurring, to(month(1))],
  [
    'a renewal by Pix recurring that is refused, without retries',
    'charge_failed unpaid',
    after(byPixRecurring, refuseCharge),
    to(month(1)),
  ],
  ['a cancellation', CANCELED, byCard(), cancel],
  ['a cancellation in a trial', CANCELED, trial, cancel],
  ['a cancellation of an overdue subscription', CANCELED, late, cancel],
  [
    'a cancellation before the first charge',
    `${CANCELED} ended`,
    byCard({ start_at: addDays(today, 5) }),
    cancel,
  ],
  ['a cancellation with an issued boleto', CANCELED, after(paidByBoleto, to(addDays(month(1), -5))), cancel],
  ['a cancellation by Pix recurring', `${CANCELED} deleted`, byPixRecurring, cancel],
  ['a cancellation with a scheduled charge', `${CANCELED} deleted`, scheduled, cancel],
  [
    'a payer who ends the mandate',
    `${CANCELED} deleted`,
    byPixRecurring,
    (shop, { id }) => endMandate(shop, id),
  ],
  [
    'a payer who ends the mandate of a scheduled charge',
    `${CANCELED} deleted`,
    scheduled,
    (shop, { id }) => endMandate(shop, id),
  ],
  ['a reactivation', 'updated', canceled, (shop, { id }) => shop.post(`/subscriptions/${id}/reactivate`)],
  ['the end of the paid period', 'ended', canceled, to(month(1))],
  ['the end of the last cycle', 'completed', withLadder({ start: 1, end: 1, amount: 4_990 }), to(month(1))],
  ['a full refund', 'inactivated ended', byCard(), (shop, { payment }) => shop.refund(payment.id)],
  [
    'a lost chargeback',
    'inactivated ended',
    after(byCard(), simulate('chargeback_requested')),
    simulate('chargeback_lost'),
  ],
  ['a plan for the next cycle', 'plan_changed updated', byCard(), change(9_990, 'next_cycle')],
  ['a cheaper plan at once', 'plan_changed updated', byCard(), change(1_990, 'immediate')],
  ['a dearer plan at once', 'plan_changed updated', byCard(), change(9_990, 'immediate')],
  ['a plan while a mandate waits', 'plan_changed updated', asksForMandate, change(9_990, 'next_cycle')],
  ['a mandate that replaces a card', 'updated', asksForMandate, authorizeIt],
  ['a card for a scheduled charge', 'updated', scheduled, toGoodCard],
];

/** More than one transaction changes the subscription: an intent and its outcome, or a failure and the next boleto. */
const IN_STEPS = /^(a creation by (a )?(stolen )?card|another card for|a boleto that is not paid)/;

/** The payment of the subscription changes after the last event. */
const PAYMENT_FOLLOWS = /^(a creation by (boleto|Pix recurring)|a boleto that is not paid)$/;

interface EmittedEvent {
  readonly id: string;
  readonly event: string;
  /** Whether the transaction that stored the event also wrote the present version of the subscription. */
  readonly isOfLastChange: boolean;
}

/** The events of the subscription of a shop, oldest first. */
function eventsOf({ account }: Shop): Promise<EmittedEvent[]> {
  return service.rows<EmittedEvent>(
    `select e.id, replace(e.event, 'subscription.', '') as event, e.xmin = s.xmin as "isOfLastChange"
       from events e join subscriptions s on s.merchant_id = e.merchant_id and s.id = e.object_id
      where e.merchant_id = :account order by e.created_at, e.id`,
    { account },
  );
}

describe('the events of a subscription', () => {
  for (const [name, events, start, cause] of CAUSES) {
    test(`of ${name}`, async () => {
      const shop = await Shop.open(service);
      const subscription = await start?.(shop);
      const earlier = new Set((await eventsOf(shop)).map(({ id }) => id));
      await cause(shop, subscription);
      const caused = (await eventsOf(shop)).filter(({ id }) => !earlier.has(id));
      assert.equal(caused.map(({ event }) => event).join(' '), events);
      if (!IN_STEPS.test(name)) assert.ok(caused.every(({ isOfLastChange }) => isOfLastChange));
      if (PAYMENT_FOLLOWS.test(name)) return;
      const { object_id, data } = await shop.get(`/events/${caused.at(-1)!.id}`);
      assert.deepEqual(data, await shop.get(`/subscriptions/${object_id}`));
    });
  }

  test('all have a cause', () => {
    const caused = new Set(
      CAUSES.flatMap(([, events]) => events.split(' ').map((event) => `subscription.${event}`)),
    );
    const names = contract.components.schemas.EventName.enum;
    const events = names.filter((name) => name.startsWith('subscription.'));
    assert.deepEqual([...caused].sort(), events.toSorted());
  });
});
