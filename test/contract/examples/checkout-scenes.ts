import { cardDocument, encryptJwe, VISA } from '../../support/cards/cards.ts';
import { LogoServer, PNG } from '../../support/pages/logo-server.ts';
import { until } from '../../support/until.ts';
import type { ContractMerchant } from '../dredd/merchant.ts';
import type { ExampleOf } from './example-of.ts';
import { NO_FUNDS } from './magic-cards.ts';

/** A page with a logo, where a card is refused and another one pays, and that is then disabled. */
export async function checkout(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  await using logos = await LogoServer.start();
  const link = { ...exampleOf('createPaymentLink', 'payment_link'), logo_url: logos.serve(PNG) };
  const { id, hash } = await merchant.call('POST', '/payment-links', { body: link });
  const read = () => merchant.call('GET', `/checkout/${hash}`, { key: null });
  await until('the logo is stored', async () => (await read()).logo_url !== null);
  const page = await read();
  await merchant.call('PUT', `/payment-links/${id}`, { body: { logo_url: null } });
  const pay = `/checkout/${hash}/payments`;
  const body = exampleOf('createCheckoutPayment', 'checkout_card');
  for (const [number, installments] of [
    [NO_FUNDS, 1],
    [VISA.number, 3],
  ] as const) {
    const encrypted = await encryptJwe(cardDocument({ ...VISA, number }), page.card_encryption_key.jwk);
    const sent = { ...body, installments, credit_card: { encrypted } };
    await merchant.call('POST', pay, { key: null, body: sent });
  }
  await merchant.call('POST', `/payment-links/${id}/disable`);
  await merchant.call('GET', `/checkout/${hash}`, { key: null });
  await merchant.try('POST', pay, { key: null, body: exampleOf('createCheckoutPayment', 'checkout_pix') });
}

/** What one network address can have in the sandbox. */
const MAX_UNPAID = 100;

/** One buyer makes more Pix charges at a link with a limit of payments than one network address can. */
export async function unpaidCharges(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const link = { ...exampleOf('createPaymentLink', 'payment_link'), max_payments: 2 * MAX_UNPAID };
  const { hash } = await merchant.call('POST', '/payment-links', { body: link });
  const body = exampleOf('createCheckoutPayment', 'checkout_pix');
  for (let i = 0; i <= MAX_UNPAID; i += 1) {
    await merchant.try('POST', `/checkout/${hash}/payments`, { key: null, body });
  }
}

/** Buyers who subscribe at the page of an offer: in a trial, charged, and refused. */
export async function recurringCheckout(merchant: ContractMerchant, exampleOf: ExampleOf): Promise<void> {
  const { id } = await merchant.call('POST', '/products', { body: exampleOf('createProduct', 'product') });
  const offer = exampleOf('createOffer', 'offer_recurring');
  const body = exampleOf('createCheckoutSubscription', 'checkout_subscription');
  for (const [trial_days, number] of [
    [7, VISA.number],
    [undefined, VISA.number],
    [undefined, NO_FUNDS],
  ] as const) {
    const { hash } = await merchant.call('POST', `/products/${id}/offers`, {
      body: { ...offer, trial_days },
    });
    const page = await merchant.call('GET', `/checkout/${hash}`, { key: null });
    const encrypted = await encryptJwe(cardDocument({ ...VISA, number }), page.card_encryption_key.jwk);
    const sent = { ...body, terms: page.recurrence.terms, credit_card: { encrypted } };
    const made = await merchant.call('POST', `/checkout/${hash}/subscriptions`, { key: null, body: sent });
    await merchant.call('GET', `/checkout/subscriptions/${made.hash}`, { key: null });
  }
}
