/** Every request about one subscription in every status: contract rows 8.4, 8.7 to 8.9, 13.26 to 13.30. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { advance } from '../../support/clock-calls.ts';
import { withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import type { Json, TestAnswer } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { PAYER } from '../../support/subscriptions/issued-charges.ts';
import { authorized, requested, scriptCharges } from '../../support/subscriptions/pix-recurring-calls.ts';
import { offerOf, script } from '../../support/subscriptions/plan-change-calls.ts';
import { paidUpBy } from '../../support/subscriptions/renewals-by-method.ts';
import {
  NO_FUNDS,
  STOLEN,
  subscribed,
  subscribedByWallet,
} from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain, walletToken } from '../../support/wallet/wallet-shop.ts';

const service = await sharedService({ jobs: false });

const today = merchantDay(new Date());
const nextMonth = billingDate({ start: today, interval: 'monthly' }, 1);
const advanceTo = (shop: Shop, day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });

interface Requested {
  readonly shop: Shop;
  readonly id: string;
  readonly customerId: string;
  readonly offerId: string;
}

const put = ({ shop, id }: Requested, body: object) =>
  shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
const change = ({ shop, id, offerId }: Requested, path: string, effective: string) =>
  shop.post(`/subscriptions/${id}/${path}`, { offer_id: offerId, effective });

const REQUESTS = {
  get: ({ shop, id }) => shop.call('GET', `/subscriptions/${id}`),
  invoices: ({ shop, id }) => shop.call('GET', `/subscriptions/${id}/invoices`),
  cancel: ({ shop, id }) => shop.post('/subscriptions/cancel', { id }),
  reactivate: ({ shop, id }) => shop.post(`/subscriptions/${id}/reactivate`),
  changeAtOnce: (of) => change(of, 'change-plan', 'immediate'),
  changeLater: (of) => change(of, 'change-plan', 'next_cycle'),
  previewAtOnce: (of) => change(of, 'change-plan/preview', 'immediate'),
  previewLater: (of) => change(of, 'change-plan/preview', 'next_cycle'),
  toCard: async (of) =>
    put(of, {
      payment_method: 'credit_card',
      credit_card: { id: await of.shop.card(of.customerId, '5555555555554444') },
    }),
  toPix: (of) => put(of, { payment_method: 'pix' }),
  toPixRecurring: (of) => put(of, { payment_method: 'pix_recurring' }),
  toWallet: async (of) => {
    const browser_wallet_token = await walletToken(of.shop, { domain: domainOf(of.shop) });
    return put(of, { payment_method: 'browser_wallet', browser_wallet: { browser_wallet_token } });
  },
} satisfies Record<string, (of: Requested) => Promise<TestAnswer>>;
type RequestName = keyof typeof REQUESTS;

type Answers = Readonly<Record<RequestName, string>>;

/** The answers while the subscription can be charged: nothing but a cancellation changes its status. */
const open = (status: string): Answers => ({
  get: `200 ${status}`,
  invoices: `200 ${status}`,
  cancel: '200 canceled',
  reactivate: '422 status',
  changeAtOnce: `200 ${status}`,
  changeLater: `200 ${status}`,
  previewAtOnce: `200 ${status}`,
  previewLater: `200 ${status}`,
  toCard: `200 ${status}`,
  toPix: `200 ${status}`,
  toPixRecurring: `200 ${status}`,
  toWallet: `200 ${status}`,
});

/** The answers when it is not charged any more: it can only be read. */
const closed = (status: string): Answers => ({
  get: `200 ${status}`,
  invoices: `200 ${status}`,
  cancel: '422 status',
  reactivate: '422 status',
  changeAtOnce: '422 status',
  changeLater: '422 status',
  previewAtOnce: '422 status',
  previewLater: '422 status',
  toCard: '422 status',
  toPix: '422 status',
  toPixRecurring: '422 status',
  toWallet: '422 status',
});

/** At once, the plan of an overdue subscription cannot change, and Pix cannot pay an upgrade. */
const notAtOnce = { changeAtOnce: '422 effective', previewAtOnce: '422 effective' };

/** A card and a wallet are charged at once. */
const recovered = { toCard: '200 active', toWallet: '200 active' };

/** How a subscription gets into a status, and the answers to the requests: the new status, or the refused field. */
interface Situation {
  readonly name: string;
  readonly status: string;
  readonly start: (shop: Shop) => Promise<Json>;
  /** What happens to all subscriptions of the shop afterwards. */
  readonly afterwards?: (shop: Shop) => Promise<unknown>;
  readonly answers: Answers;
}

const SITUATIONS: readonly Situation[] = [
  {
    name: 'by card, before its first charge',
    status: 'payment_pending',
    start: (shop) => subscribed(shop, { start_at: addDays(today, 5) }),
    answers: { ...open('payment_pending'), cancel: '200 ended' },
  },
  {
    name: 'by card, in its trial',
    status: 'trial_started',
    start: (shop) => subscribed(shop, { trial_days: 7 }),
    answers: open('trial_started'),
  },
  { name: 'by card, paid', status: 'active', start: (shop) => subscribed(shop), answers: open('active') },
  {
    name: 'by card, refused at creation',
    status: 'payment_refused',
    start: (shop) => subscribed(shop, {}, NO_FUNDS),
    answers: { ...open('payment_refused'), ...recovered },
  },
  {
    name: 'by card, whose first charge has no answer',
    status: 'payment_pending',
    start: (shop) => withLostAnswers(service, () => subscribed(shop)),
    answers: { ...open('payment_pending'), cancel: '200 ended' },
  },
  {
    name: 'by card, with a refused renewal',
    status: 'past_due',
    start: async (shop) => {
      const subscription = await subscribed(shop);
      await script(shop, subscription.card_id, 'insufficient_funds');
      return subscription;
    },
    afterwards: (shop) => advanceTo(shop, nextMonth),
    answers: { ...open('past_due'), ...notAtOnce, ...recovered },
  },
  {
    name: 'by card, refused for good',
    status: 'unpaid',
    start: (shop) => subscribed(shop, {}, STOLEN),
    answers: { ...open('unpaid'), ...notAtOnce, ...recovered },
  },
  {
    name: 'by card, canceled with a paid period left',
    status: 'canceled',
    start: async (shop) => {
      const { id } = await subscribed(shop);
      return (await shop.post('/subscriptions/cancel', { id })).body;
    },
    answers: { ...closed('canceled'), reactivate: '200 active' },
  },
  {
    name: 'by card, canceled, and its paid period is over',
    status: 'ended',
    start: async (shop) => {
      const { id } = await subscribed(shop);
      return (await shop.post('/subscriptions/cancel', { id })).body;
    },
    afterwards: (shop) => advanceTo(shop, nextMonth),
    answers: closed('ended'),
  },
  {
    name: 'by card, whose last cycle is over',
    status: 'completed',
    start: async (shop) => {
      const offer_id = await offerOf(shop, 1, { cycles: [{ start: 1, end: 1, amount: 4_990 }] });
      return subscribed(shop, { offer_id, interval: undefined });
    },
    afterwards: (shop) => advanceTo(shop, nextMonth),
    answers: closed('completed'),
  },
  {
    name: 'by wallet, paid',
    status: 'active',
    start: (shop) => subscribedByWallet(shop),
    answers: open('active'),
  },
  {
    name: 'by boleto, whose renewal was not paid and was issued again',
    status: 'past_due',
    start: async (shop) => {
      const payer = { ...PAYER, email: `${randomUUID()}@example.com` };
      return paidUpBy(shop, (await created(shop.post('/customers', payer))).id, 'bank_slip');
    },
    afterwards: (shop) => advanceTo(shop, addDays(nextMonth, 3)),
    // The other method charges the cycle when the second boleto is canceled.
    answers: { ...open('past_due'), ...notAtOnce },
  },
  {
    name: 'by Pix recurring, before the payer has authorized it',
    status: 'payment_pending',
    start: (shop) => requested(shop),
    answers: { ...open('payment_pending'), cancel: '200 ended', toPixRecurring: '422 status' },
  },
  {
    name: 'by Pix recurring, in its trial',
    status: 'trial_started',
    start: (shop) => authorized(shop, { trial_days: 7 }),
    answers: open('trial_started'),
  },
  {
    name: 'by Pix recurring, paid',
    status: 'payment_approved',
    start: (shop) => authorized(shop),
    answers: { ...open('payment_approved'), ...notAtOnce, ...recovered, toPix: '200 active' },
  },
  {
    name: 'by Pix recurring, with a refused renewal',
    status: 'payment_refused',
    start: async (shop) => {
      const subscription = await authorized(shop);
      await scriptCharges(shop, subscription.customer_id, 'insufficient_funds');
      return subscription;
    },
    afterwards: (shop) => advanceTo(shop, nextMonth),
    answers: { ...open('payment_refused'), ...recovered },
  },
  {
    name: 'by Pix recurring, canceled',
    status: 'canceled',
    start: async (shop) => {
      const { id } = await authorized(shop);
      return (await shop.post('/subscriptions/cancel', { id })).body;
    },
    answers: closed('canceled'),
  },
];

/** The status of the subscription after an accepted request, or the fields that a refusal names. */
async function outcomeOf(of: Requested, { status, body }: TestAnswer): Promise<string> {
  if (status !== 200) return `${status} ${Object.keys(body.errors ?? {}).join()}`;
  return `${status} ${(await of.shop.get(`/subscriptions/${of.id}`)).status}`;
}

describe('the requests about a subscription', () => {
  for (const { name, status, start, afterwards, answers } of SITUATIONS) {
    test(`${name} (${status})`, async () => {
      const shop = await Shop.open(service);
      await verifiedDomain(shop, domainOf(shop));
      await changeMerchant(service.deps, shop.account, { rateLimitPerMinute: 1_000_000 });
      const offerId = await offerOf(shop, 9_990);
      const names = Object.keys(REQUESTS) as RequestName[];
      const started: [RequestName, Requested][] = [];
      for (const request of names) {
        const { id, customer_id: customerId } = await start(shop);
        started.push([request, { shop, id, customerId, offerId }]);
      }
      await afterwards?.(shop);
      const found: Record<string, string> = {};
      for (const [request, of] of started) {
        assert.equal((await shop.get(`/subscriptions/${of.id}`)).status, status);
        found[request] = await outcomeOf(of, await REQUESTS[request](of));
      }
      assert.deepEqual(found, answers);
    });
  }
});
