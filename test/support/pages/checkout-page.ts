import { cardDocument, encryptJwe, type PlainCard, VISA } from '../cards/cards.ts';
import { CPF, customerBody } from '../orders/parties.ts';
import type { CallOptions, Json, TestAnswer } from '../service.ts';
import { created, type Shop } from '../shop.ts';
import { linkBody } from './link-bodies.ts';
import { oneTimeOffer } from './offer-bodies.ts';

/** The page of a payment link or of an offer, as a buyer's browser calls it: without an API key. */
export class CheckoutPage {
  readonly #shop: Shop;
  readonly id: string;
  readonly hash: string;

  constructor(shop: Shop, { id, hash }: { readonly id: string; readonly hash: string }) {
    this.#shop = shop;
    this.id = id;
    this.hash = hash;
  }

  /** Of a new payment link. */
  static async ofLink(shop: Shop, fields: object = {}): Promise<CheckoutPage> {
    return new CheckoutPage(shop, await created(shop.post('/payment-links', linkBody(fields))));
  }

  /** Of a new offer. */
  static async ofOffer(shop: Shop, offer: object = oneTimeOffer()): Promise<CheckoutPage> {
    const product = await created(shop.post('/products', { name: 'Curso' }));
    return new CheckoutPage(shop, await created(shop.post(`/products/${product.id}/offers`, offer)));
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<TestAnswer> {
    return this.#shop.call(method, `/checkout${path}`, { key: null, ...options });
  }

  /** What the page shows. */
  read(query = ''): Promise<TestAnswer> {
    return this.call('GET', `/${this.hash}${query}`);
  }

  pay(body: object, options: CallOptions = {}): Promise<TestAnswer> {
    return this.call('POST', `/${this.hash}/payments`, { body, ...options });
  }

  /** A new payment, as the buyer sees it. */
  paid(body: object): Promise<Json> {
    return created(this.pay(body));
  }

  /** A payment by its hash, as the buyer sees it. */
  async payment(hash: string): Promise<Json> {
    return (await this.call('GET', `/payments/${hash}`)).body;
  }

  /** The body of a payment by card. */
  async cardBody(fields: object = {}, card: Partial<PlainCard> = {}): Promise<Json> {
    return { ...(await cardFields((await this.read()).body, card)), ...fields };
  }

  subscribe(body: object, options: CallOptions = {}): Promise<TestAnswer> {
    return this.call('POST', `/${this.hash}/subscriptions`, { body, ...options });
  }

  /** A new subscription, as the buyer sees it. */
  subscribed(body: object): Promise<Json> {
    return created(this.subscribe(body));
  }

  /** A subscription by its hash, as the buyer sees it. */
  async subscription(hash: string): Promise<Json> {
    return (await this.call('GET', `/subscriptions/${hash}`)).body;
  }

  /** The body of a subscription by card on the terms that the page shows. */
  async subscriptionBody(fields: object = {}, card: Partial<PlainCard> = {}): Promise<Json> {
    const { body } = await this.read();
    return { ...(await cardFields(body, card)), terms: body.recurrence.terms, ...fields };
  }

  /** The link as its merchant sees it. */
  link(): Promise<Json> {
    return this.#shop.get(`/payment-links/${this.id}`);
  }
}

async function cardFields({ card_encryption_key: key }: Json, card: Partial<PlainCard>): Promise<Json> {
  const document = cardDocument({ ...VISA, ...card });
  return {
    payment_method: 'credit_card',
    customer: customerBody(),
    credit_card: { encrypted: await encryptJwe(document, key.jwk) },
  };
}

export function pixBody(fields: object = {}) {
  return { payment_method: 'pix', customer: customerBody(), ...fields };
}

/** A CPF, as a boleto needs one. */
export const DOCUMENTS = [{ type: 'cpf', value: CPF }];
