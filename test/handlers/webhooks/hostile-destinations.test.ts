/** Hostile URLs and names in every field that takes an address of a merchant's server: no connection is made. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { linkBody } from '../../support/pages/link-bodies.ts';
import type { TestAnswer } from '../../support/service.ts';
import { created, type Shop } from '../../support/shop.ts';
import { pixBody } from '../../support/subscriptions/pix-recurring-calls.ts';
import { subscribe, subscriptionBody } from '../../support/subscriptions/subscription-calls.ts';
import {
  forEach,
  HostileNames,
  LONE_NAMES,
  NAMES,
  NOT_PUBLIC,
  URLS,
} from '../../support/webhooks/hostile-names.ts';

let hostile: HostileNames;
let shop: Shop;
let endpointId: string;
let linkId: string;
let subscription: object;
let pixSubscription: object;
before(async () => {
  hostile = await HostileNames.start();
  ({ shop } = hostile);
  const url = 'https://loja.invalid/hook';
  endpointId = (await created(shop.post('/webhook-endpoints', { url, events: ['*'] }))).id;
  linkId = (await created(shop.post('/payment-links', linkBody()))).id;
  subscription = await subscriptionBody(shop);
  pixSubscription = await pixBody(shop);
});
after(() => hostile[Symbol.asyncDispose]());

interface Entry {
  readonly field: string;
  /** Characters. Absent if each hostile URL is shorter than the limit. */
  readonly maxLength?: number;
  readonly send: (url: string) => Promise<TestAnswer>;
}

const NOTIFICATIONS: Readonly<Record<string, Entry>> = {
  'a new endpoint': {
    field: 'url',
    send: (url) => shop.post('/webhook-endpoints', { url, events: ['*'] }),
  },
  'an endpoint': {
    field: 'url',
    send: (url) => shop.call('PUT', `/webhook-endpoints/${endpointId}`, { body: { url } }),
  },
  'an order': {
    field: 'notification_url',
    send: (url) => shop.order(shop.pixOrderBody(5_000, undefined, { notification_url: url })),
  },
  'a new link': {
    field: 'notification_url',
    send: (url) => shop.post('/payment-links', linkBody({ notification_url: url })),
  },
  'a link': {
    field: 'notification_url',
    send: (url) => shop.call('PUT', `/payment-links/${linkId}`, { body: { notification_url: url } }),
  },
  'a subscription by card': {
    field: 'notification_url',
    send: (url) => subscribe(shop, { ...subscription, notification_url: url }),
  },
  'a subscription by Pix': {
    field: 'notification_url',
    send: (url) => shop.post('/subscriptions', { ...pixSubscription, notification_url: url }),
  },
};
/** Its host is looked up when the logo is fetched, not when it is set. */
const LOGOS: Readonly<Record<string, Entry>> = {
  'a new link': {
    field: 'logo_url',
    maxLength: 255,
    send: (url) => shop.post('/payment-links', linkBody({ logo_url: url })),
  },
  'a link': {
    field: 'logo_url',
    maxLength: 255,
    send: (url) => shop.call('PUT', `/payment-links/${linkId}`, { body: { logo_url: url } }),
  },
};

async function assertSentence(entry: Entry, url: string, sentence: string): Promise<void> {
  const { field, maxLength = Number.POSITIVE_INFINITY, send } = entry;
  const expected = url.length > maxLength ? `Must have at most ${maxLength} characters.` : sentence;
  const { status, body } = await send(url);
  assert.deepEqual([status, body.errors], [422, { [field]: [expected] }], url);
}

it('there are more than 600 hostile URLs and 350 hostile names', () => {
  assert.ok(URLS.length > 600, `${URLS.length} URLs`);
  assert.ok(NAMES.size > 350, `${NAMES.size} names`);
});

for (const [what, entry] of [...Object.entries(NOTIFICATIONS), ...Object.entries(LOGOS)]) {
  it(`${entry.field} of ${what} refuses each hostile URL with its reason`, async () => {
    await forEach(URLS, ({ sentence, url }) => assertSentence(entry, url, sentence));
  });
}

for (const [what, entry] of Object.entries(NOTIFICATIONS)) {
  it(`${entry.field} of ${what} refuses each name that has a private address`, async () => {
    const hosts = what === 'a new endpoint' ? NAMES.keys() : LONE_NAMES;
    await forEach(hosts, (name) => assertSentence(entry, hostile.urlOf(name), NOT_PUBLIC));
  });
}

it('all of this made no connection', () => assert.equal(hostile.listener.connections, 0));
