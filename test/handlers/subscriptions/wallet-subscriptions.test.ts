import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import type { AcquirerCommand } from '../../../gateway/acquirer.ts';
import { advance } from '../../support/clock-calls.ts';
import { commandsDuring } from '../../support/payments/acquirer-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { scriptCharges } from '../../support/subscriptions/pix-recurring-calls.ts';
import {
  invoices,
  NO_FUNDS,
  newOffer,
  STOLEN,
  story,
  subscribe,
  subscribedByWallet,
  walletSubscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

const TOKEN = 'payment.browser_wallet.browser_wallet_token';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
  await verifiedDomain(shop, domainOf(shop));
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
const today = () => merchantDay(new Date());
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

const asked = (work: () => Promise<unknown>) => commandsDuring(service, work);

/** How a command names the card in the wallet. */
function meansOf(command: AcquirerCommand): string {
  if (command.kind !== 'authorize') return command.kind;
  if ('walletToken' in command) return command.storesCredential ? 'token that is stored' : 'token';
  return 'storedCredential' in command ? 'credential' : 'card';
}

describe('a subscription by wallet', () => {
  test('charges the token at once, and shows the card in the wallet', async () => {
    const subscription = await subscribedByWallet(shop);
    assert.deepEqual(
      [subscription.status, subscription.payment_method, subscription.card_id],
      ['active', 'browser_wallet', null],
    );
    const { payment } = subscription;
    assert.deepEqual([payment.status, payment.amount, payment.installments], ['paid', 4_990, 1]);
    assert.deepEqual(payment.browser_wallet, { wallet: 'apple_pay', brand: 'visa', last_4: '4242' });
    assert.deepEqual(await story(shop), [
      'subscription.created payment_pending',
      'payment.created processing',
      'payment.authorized AUTHORIZED',
      'payment.capture_confirmed paid',
      'subscription.charge_succeeded active',
      'subscription.activated active',
      'subscription.updated active',
    ]);
  });

  test('charges each cycle of a year once, by the credential that the first approval brought', async () => {
    let id = '';
    const commands = await asked(async () => {
      id = (await subscribedByWallet(shop)).id;
      await advanceTo(month(12));
    });
    assert.deepEqual(commands.map(meansOf), ['token that is stored', ...Array(12).fill('credential')]);
    const all = await invoices(shop, id);
    assert.deepEqual(
      all.map(({ cycle, status, period_start, payments }) => [
        cycle,
        status,
        period_start,
        payments.map(({ status, browser_wallet }: Json) => `${status} ${browser_wallet.last_4}`),
      ]),
      Array.from({ length: 13 }, (_, i) => [i + 1, 'paid', month(i), ['paid 4242']]),
    );
  });

  test('hands the descriptor to the acquirer in every cycle', async () => {
    const body = await walletSubscriptionBody(shop);
    const browser_wallet = { ...body.payment.browser_wallet, statement_descriptor: 'LOJA AZUL' };
    const commands = await asked(async () => {
      await created(subscribe(shop, { ...body, payment: { ...body.payment, browser_wallet } }));
      await advanceTo(month(1));
    });
    assert.deepEqual(
      commands.map((command) => 'statementDescriptor' in command && command.statementDescriptor),
      ['LOJA AZUL', 'LOJA AZUL'],
    );
  });

  test('is created once by two requests with one Idempotency-Key', async () => {
    const body = await walletSubscriptionBody(shop);
    const [first, second] = [await subscribe(shop, body, 'k'), await subscribe(shop, body, 'k')];
    assert.deepEqual([first.status, second.text], [201, first.text]);
    assert.equal((await shop.get('/subscriptions')).data.length, 1);
  });

  test('pays the difference of an upgrade by the credential', async () => {
    const { id } = await subscribedByWallet(shop);
    const offer_id = await newOffer(shop, { cycles: [{ start: 1, end: null, amount: 9_990 }] });
    const body = { offer_id, effective: 'immediate' };
    const commands = await asked(async () => {
      const { status, text } = await shop.post(`/subscriptions/${id}/change-plan`, body);
      assert.equal(status, 200, text);
    });
    assert.deepEqual(commands.map(meansOf), ['credential']);
    assert.equal((await read(id)).payment.amount, 5_000);
  });
});

describe('a subscription by wallet without a charge now', () => {
  test('has the card verified, and charges it when the trial is over', async () => {
    let subscription: Json = {};
    const commands = await asked(async () => {
      subscription = await subscribedByWallet(shop, { trial_days: 10 });
    });
    assert.deepEqual(commands.map(meansOf), ['wallet_credential']);
    assert.deepEqual([subscription.status, subscription.payment], ['trial_started', null]);
    const charged = await asked(() => advanceTo(addDays(today(), 10)));
    assert.deepEqual(charged.map(meansOf), ['credential']);
    const { status, payment } = await read(subscription.id);
    assert.deepEqual([status, payment.browser_wallet.last_4], ['active', '4242']);
  });

  test('whose first cycle is free is active, and pays the second cycle', async () => {
    const cycles = [
      { start: 1, end: 1, amount: 0 },
      { start: 2, end: null, amount: 4_990 },
    ];
    const { payment, interval: _, ...body } = await walletSubscriptionBody(shop);
    const { amount: __, ...means } = payment;
    const offer_id = await newOffer(shop, { cycles });
    const { id, status } = await created(subscribe(shop, { ...body, offer_id, payment: means }));
    assert.equal(status, 'active');
    await advanceTo(month(1));
    assert.deepEqual([(await read(id)).successful_charges, (await read(id)).payment.status], [2, 'paid']);
  });

  test('that starts later is charged on that day', async () => {
    const start_at = addDays(today(), 3);
    const { id, status } = await subscribedByWallet(shop, { start_at });
    assert.equal(status, 'payment_pending');
    await advanceTo(start_at);
    assert.equal((await read(id)).status, 'active');
  });

  test('is refused if the issuer refuses the card, and does not exist then', async () => {
    const answer = await subscribe(shop, await walletSubscriptionBody(shop, { trial_days: 7 }, STOLEN));
    assertRefused(answer, TOKEN);
    assert.deepEqual(answer.body.errors[TOKEN], ['The card in the wallet was refused (stolen_card).']);
    assert.deepEqual((await shop.get('/subscriptions')).data, []);
  });

  test('is past due if the card has no funds after the trial, and is retried', async () => {
    const { id, status } = await subscribedByWallet(shop, { trial_days: 7 }, NO_FUNDS);
    assert.equal(status, 'trial_started');
    const due = addDays(today(), 7);
    await advanceTo(due);
    assert.deepEqual(
      [(await read(id)).status, (await read(id)).next_charge_at],
      ['past_due', addDays(due, 1)],
    );
  });

  test('is answered with 503 while the card cannot be verified, and can be sent again', async () => {
    const body = await walletSubscriptionBody(shop, { trial_days: 7 });
    const lost = service.intercept(() => ({
      wallet_credential: async () => ({ kind: 'unknown', cause: 'time_out' }),
    }));
    const { status, headers } = await subscribe(shop, body, 'k');
    lost.undo();
    assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
    assert.equal((await created(subscribe(shop, body, 'k'))).status, 'trial_started');
  });
});

describe('a charge of a wallet that is refused', () => {
  test('at the creation makes the subscription unpaid, because the token cannot be charged again', async () => {
    const { id, status, payment } = await subscribedByWallet(shop, {}, NO_FUNDS);
    assert.deepEqual([status, payment.refusal.code], ['unpaid', 'insufficient_funds']);
    assert.deepEqual((await story(shop)).slice(2), [
      'payment.refused refused',
      'subscription.charge_failed unpaid',
      'subscription.unpaid unpaid',
    ]);
    await advanceTo(addDays(today(), 10));
    assert.equal((await invoices(shop, id))[0]!.payments.length, 1);
  });

  test('in a later cycle is retried after 1, 3, 5 and 7 days, and then not any more', async () => {
    const { id, customer_id } = await subscribedByWallet(shop);
    const due = month(1);
    await scriptCharges(shop, customer_id, ...Array(5).fill('insufficient_funds'));
    await advanceTo(due);
    assert.deepEqual(
      [(await read(id)).status, (await read(id)).next_charge_at],
      ['past_due', addDays(due, 1)],
    );
    await advanceTo(addDays(due, 7));
    assert.equal((await read(id)).status, 'unpaid');
    const [, overdue] = await invoices(shop, id);
    assert.deepEqual(
      overdue!.payments.map(({ billing_date }: Json) => billing_date),
      [0, 1, 3, 5, 7].map((days) => addDays(due, days)),
    );
  });

  test('in a later cycle is recovered by a retry', async () => {
    const { id, customer_id } = await subscribedByWallet(shop);
    await scriptCharges(shop, customer_id, 'insufficient_funds', 'do_not_honor');
    await advanceTo(addDays(month(1), 3));
    const { status, next_charge_at, successful_charges } = await read(id);
    assert.deepEqual([status, next_charge_at, successful_charges], ['active', month(2), 2]);
  });

  test('for a reason that cannot be retried makes the subscription unpaid at once', async () => {
    const { id, customer_id } = await subscribedByWallet(shop);
    await scriptCharges(shop, customer_id, 'stolen_card');
    await advanceTo(month(1));
    assert.equal((await read(id)).status, 'unpaid');
  });
});
