/** Cards whose network token cannot be read, or not by every process, and many cards with one number. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { cardContext } from '../../../services/cards/card-context.ts';
import { tokenizeCard } from '../../../services/cards/tokenize-card.ts';
import { returnResult } from '../../../services/deps.ts';
import { encryptCard, SAME_ENDS, VISA } from '../../support/cards/cards.ts';
import { enterCard, loseSealed, orderByCard, usedCard } from '../../support/cards/lost-cards.ts';
import { openVaultOperator } from '../../support/cards/vault-operator.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import { commandsDuring } from '../../support/payments/acquirer-calls.ts';
import { deliver } from '../../support/payments/notifications.ts';
import { fetchDueTokens } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const operator = await openVaultOperator(service);
after(() => operator.db.close());
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

async function cardWithToken() {
  const used = await usedCard(shop);
  await fetchDueTokens(service.deps);
  return used;
}

async function chargedBy(customer: string, card: string): Promise<Json> {
  const [command] = await commandsDuring(service, async () => {
    assert.equal((await shop.order(orderByCard(customer, card))).status, 201);
  });
  return command as Json;
}

/** The network reports what the issuer has changed. */
async function reportCard(card_id: string, changed: object): Promise<void> {
  const [row] = await service.rows<{ reference: string }>(
    'select network_token_reference as reference from cards where id = :card_id',
    { card_id },
  );
  const card = { first_6: '424242', last_4: '4242', exp_month: '05', exp_year: '44', ...changed };
  const report = {
    id: `update-${card_id}`,
    account: shop.account,
    reference: row!.reference,
    type: 'network_token.updated' as const,
    occurred_at: new Date().toISOString(),
    card,
  };
  assert.equal(await deliver(service, report), 204);
}

describe('a card whose network token cannot be read', () => {
  test('is charged by its number, with the expiry that the issuer has changed', async () => {
    const { customer, card } = await cardWithToken();
    await reportCard(card, {});
    await loseSealed(service, shop, 'network_token_sealed');
    const { card: charged } = await chargedBy(customer, card);
    assert.deepEqual([charged.number, charged.expMonth, charged.expYear], [VISA.number, '05', '44']);
  });

  test('cannot be read at all if the issuer has replaced the number', async () => {
    const { customer, card } = await cardWithToken();
    await reportCard(card, { last_4: '1111' });
    assert.ok((await chargedBy(customer, card)).networkToken);
    await loseSealed(service, shop, 'network_token_sealed');
    assertRefused(await shop.order(orderByCard(customer, card)), 'payment.credit_card.id');
    const again = await enterCard(shop, customer);
    assert.deepEqual([again.status, again.body.id === card], [201, false]);
    assert.equal((await shop.get(`/cards/${card}`)).network_token.status, 'active');
    assertRefused(await shop.order(orderByCard(customer, card)), 'payment.credit_card.id');
  });

  test('can be charged, so a card with other middle digits is the same (contract row 4.7)', async () => {
    const { customer, card } = await cardWithToken();
    await loseSealed(service, shop, 'network_token_sealed');
    const { status, body } = await enterCard(shop, customer, { number: SAME_ENDS });
    assert.deepEqual([status, body.id], [200, card]);
  });
});

describe('a network token that was sealed with a key that this process has not read', () => {
  /** As `admin vault rotate` does it in another process. */
  async function rotate(cardId: string): Promise<void> {
    const version = await operator.vault.addVersion();
    const [row] = await service.rows<{ sealed: Buffer }>(
      'select network_token_sealed as sealed from cards where id = :card_id',
      { card_id: cardId },
    );
    const context = cardContext.networkToken(cardId);
    await service.rows('update cards set network_token_sealed = :sealed where id = :card_id', {
      card_id: cardId,
      sealed: operator.vault.seal(await operator.vault.open(row!.sealed, context), context),
    });
    assert.equal(service.deps.vault.version, version - 1);
  }

  test('is kept when the card is entered again', async () => {
    const { customer, card } = await cardWithToken();
    const { networkToken } = await chargedBy(customer, card);
    await rotate(card);
    assert.equal((await enterCard(shop, customer)).body.network_token.status, 'active');
    await chargedBy(customer, card);
    assert.equal((await chargedBy(customer, card)).networkToken, networkToken);
  });

  test('is kept when the card is typed at a checkout page', async () => {
    const once = await CheckoutPage.ofLink(shop);
    const recurring = await CheckoutPage.ofOffer(shop, recurringOffer());
    const { customer } = await once.cardBody();
    await once.paid(await once.cardBody({ customer }));
    const [{ credit_card: card }] = (await shop.get('/payments')).data;
    await fetchDueTokens(service.deps);
    const typed = [
      async () => once.paid(await once.cardBody({ customer })),
      async () => recurring.subscribed(await recurring.subscriptionBody({ customer })),
    ];
    for (const pay of typed) {
      await rotate(card.id);
      await pay();
      const [{ credit_card: charged }] = (await shop.get('/payments')).data;
      assert.equal(charged.id, card.id);
      assert.equal((await shop.get(`/cards/${card.id}`)).network_token.status, 'active');
    }
  });

  test('is lost if no process has the key', async () => {
    const { customer, card } = await cardWithToken();
    await service.rows(
      'update cards set network_token_sealed = set_byte(network_token_sealed, 1, 255) where id = :card',
      {
        card,
      },
    );
    assert.equal((await enterCard(shop, customer)).body.network_token.status, 'requested');
    await fetchDueTokens(service.deps);
    assert.equal((await enterCard(shop, customer)).body.network_token.status, 'active');
  });
});

describe('many cards of a customer with one number', () => {
  const HOLDERS = [...'ABCDEFGHIJKLMNO'].map((letter) => `ANA ${letter} SOUZA`);

  test('are repaired beginning with one that was charged, and no more than ten of them are opened', async () => {
    const { customer, card } = await usedCard(shop);
    for (const holder of HOLDERS) assert.equal((await enterCard(shop, customer, { holder })).status, 201);
    await loseSealed(service, shop, 'number_sealed');
    const { deps } = service;
    const opened = new Set<string>();
    const openLoaded: typeof deps.vault.openLoaded = (sealed, context) => {
      opened.add(context);
      return deps.vault.openLoaded(sealed, context);
    };
    const counting = { ...deps, vault: { ...deps.vault, openLoaded } };
    const input = {
      id: '01a1ff1f-49b8-74d4-b96f-58da6d4a8512',
      keyId: '01a1ff1f-49b8-74d4-b96f-58da6d4a8513',
      customerId: customer,
      encrypted: encryptCard(VISA, shop.onboarded.encryptionKey),
    };
    const { card: entered } = await tokenizeCard(counting, shop.onboarded.merchant, input, returnResult);
    assert.deepEqual([entered.id, opened.size], [card, 10]);
    assert.equal((await chargedBy(customer, card)).card.number, VISA.number);
  });
});
