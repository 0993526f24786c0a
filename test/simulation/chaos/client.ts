import { randomUUID } from 'node:crypto';
import type { SandboxControl, SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import { cardDocument, encryptJwe, VISA, withCheckDigit } from '../../support/cards/cards.ts';
import { sql } from '../../support/db/embedded-postgres.ts';
import { ADDRESS, CPF, companyBody, customerBody } from '../../support/orders/parties.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { Json, TestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { domainOf, verifiedDomain } from '../../support/wallet/wallet-shop.ts';
import type { Journal } from './journal.ts';

/**
 * The acquirer approves, sends each notification twice, refuses a capture, refuses a refund, or completes or denies one
 * a day later.
 */
const CARDS = [
  '4242424242424242',
  '4000000000001158',
  '4000000000001174',
  '4000000000001240',
  '4000000000007726',
  '4000000000005126',
];
/** Charges by Pix and boleto whose refunds are completed or denied a day later. */
const LATE_REFUNDS = [99_990_011, 99_990_012];
const RECIPIENTS = 3;
/** After a kill, on a busy machine. */
const RECOVERY_LIMIT_MS = 60_000;

/** A merchant with a customer, cards and recipients. */
export interface PreparedShop {
  readonly shop: Shop;
  readonly customerId: string;
  readonly cards: readonly string[];
  /** With which buyers encrypt their cards. */
  readonly jwk: Json;
}

/** `receiverUrl`: where the merchant receives webhooks. */
export async function prepareShop(service: TestService, receiverUrl: string): Promise<PreparedShop> {
  const shop = await Shop.open(service);
  const payer = { documents: [{ type: 'cpf', value: CPF }], addresses: [ADDRESS] };
  const customerId = await shop.customer(payer);
  const cards = await Promise.all(CARDS.map((number) => shop.card(customerId, number)));
  for (let i = 0; i < RECIPIENTS; i++) await created(shop.post('/recipients', companyBody()));
  await verifiedDomain(shop, domainOf(shop));
  await created(shop.post('/webhook-endpoints', { url: receiverUrl, events: ['*'] }));
  const { jwk } = await shop.get('/cards/encryption-key');
  return { shop, customerId, cards, jwk };
}

/**
 * A merchant's client and its buyers, in random orders, payments at links, captures, cancellations, refunds and
 * disputes.
 */
export class Client {
  readonly #prepared: PreparedShop;
  readonly #journal: Journal;
  readonly #control: SandboxControl;
  readonly #databaseUrl: string;
  readonly #random: SeededRandom;

  constructor(
    prepared: PreparedShop,
    journal: Journal,
    control: SandboxControl,
    databaseUrl: string,
    random: SeededRandom,
  ) {
    this.#prepared = prepared;
    this.#journal = journal;
    this.#control = control;
    this.#databaseUrl = databaseUrl;
    this.#random = random;
  }

  /** Places orders and pays at links, one after another, until the journal is closed. */
  async run(): Promise<void> {
    while (!this.#journal.isOver) await (this.#random.oneIn(3) ? this.#sellByLink() : this.#order());
  }

  /** A new link, with a few places or without a limit, and several buyers at the same time. */
  async #sellByLink(): Promise<void> {
    const limit = this.#random.oneIn(2) ? { max_payments: this.#random.integer(1, 3) } : {};
    const link = await this.#ask('/payment-links', linkBody({ send_email_receipt: true, ...limit }));
    if (link?.status !== 201) return;
    const buyers = Array.from({ length: this.#random.integer(1, 4) }, () => this.#buy(link.body.hash));
    await Promise.all(buyers);
  }

  async #buy(linkHash: string): Promise<void> {
    const random = this.#random;
    const isByCard = random.oneIn(2);
    // An address and a card of its own, because tries whose outcome is unknown are limited.
    const address = `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`;
    const number = withCheckDigit(`42424210${String(random.integer(0, 9_999_999)).padStart(7, '0')}`);
    const pays = random.oneIn(5) ? 'expired' : 'paid';
    const isRefunded = random.oneIn(4);
    const method = isByCard ? await this.#typedCard(number) : { payment_method: 'pix' };
    const body = { customer: customerBody(), ...method };
    const answer = await this.#journal.ask(this.#prepared.shop, `/checkout/${linkHash}/payments`, body, {
      address,
    });
    if (answer?.status !== 201) return;
    const [payment] = await this.#rows(`select id from payments where hash = '${answer.body.hash}'`);
    if (payment === undefined) return;
    if (!isByCard) await this.#simulate(String(payment.id), pays);
    if (isRefunded) await this.#refund(String(payment.id), answer.body.amount);
  }

  async #typedCard(number: string): Promise<object> {
    const encrypted = await encryptJwe(cardDocument({ ...VISA, number }), this.#prepared.jwk);
    return { payment_method: 'credit_card', credit_card: { encrypted } };
  }

  async #order(): Promise<void> {
    const body = await this.#orderBody();
    const answer = body && (await this.#ask('/charges/orders', body));
    if (answer?.status !== 201) return;
    const { id, status, amount, payment_method } = answer.body.payment;
    if (status === 'waiting_payment') await this.#simulate(id, this.#random.oneIn(5) ? 'expired' : 'paid');
    if (status === 'pre_authorized') await this.#captureOrCancel(id, amount);
    if (this.#random.oneIn(2)) await this.#refund(id, amount);
    if (payment_method !== 'bank_slip' && this.#random.oneIn(3)) await this.#dispute(id);
  }

  /** Undefined if the buyer's wallet gives no token. */
  async #orderBody(): Promise<object | undefined> {
    const random = this.#random;
    const { customerId, cards } = this.#prepared;
    const card = { id: random.pick(cards) };
    const block = random.pick([
      { payment_method: 'credit_card', credit_card: { ...card, capture: random.oneIn(2) } },
      { payment_method: 'debit_card', debit_card: card },
      { payment_method: 'pix' },
      { payment_method: 'bank_slip' },
      { payment_method: 'browser_wallet', browser_wallet: { capture: random.oneIn(2) } },
    ]);
    const isCharge = block.payment_method === 'pix' || block.payment_method === 'bank_slip';
    const amount = isCharge && random.oneIn(3) ? random.pick(LATE_REFUNDS) : random.integer(500, 50_000);
    const split = Array.from({ length: random.integer(0, RECIPIENTS) }, (_, i) => ({
      recipient_id: i + 1,
      type: random.pick(['fixed', 'percentage']),
      amount: random.integer(1, 33),
      allow_charge_processing_fee: random.oneIn(2),
      allow_charge_remainder_fee: random.oneIn(2),
      is_liable: random.oneIn(3),
    }));
    const payment = { amount, ...block, split };
    if (payment.browser_wallet !== undefined) {
      const browser_wallet_token = await this.#walletToken();
      if (browser_wallet_token === undefined) return undefined;
      payment.browser_wallet = { ...payment.browser_wallet, browser_wallet_token } as never;
    }
    return { code: randomUUID(), mcc: '5734', customer: { id: customerId }, payment };
  }

  /** The buyer's wallet hands over a token, unless the acquirer is down. */
  async #walletToken(): Promise<string | undefined> {
    const wanted = {
      domainName: domainOf(this.#prepared.shop),
      number: this.#random.pick(CARDS),
      createdAt: new Date(),
    };
    return this.#control.createWalletToken(wanted).then(
      ({ token }) => token,
      () => undefined,
    );
  }

  async #captureOrCancel(id: string, amount: number): Promise<void> {
    const part = this.#random.oneIn(2) ? { amount: this.#random.integer(1, amount) } : {};
    const capture = () => this.#ask(`/payments/${id}/capture`, part);
    const cancel = () => this.#ask(`/payments/${id}/cancel`);
    const chosen = this.#random.pick([[capture], [capture], [cancel], [capture, cancel]]);
    await Promise.all(chosen.map((ask) => ask()));
  }

  /** One refund, or several at the same time. */
  async #refund(id: string, amount: number): Promise<void> {
    const parts = Array.from({ length: this.#random.integer(1, 3) }, () => this.#random.integer(1, amount));
    await Promise.all(parts.map((part) => this.#ask(`/payments/${id}/refunds`, { amount: part })));
    if (this.#random.oneIn(2)) return;
    const [late] = await this.#rows(
      `select reference from refunds where payment_id = '${id}' and status = 'in_progress'`,
    );
    if (late !== undefined) {
      const outcome = this.#random.pick(['refund_succeeded', 'refund_denied'] as const);
      await this.#simulateAt(String(late.reference), outcome);
    }
  }

  async #dispute(paymentId: string): Promise<void> {
    await this.#simulate(paymentId, 'chargeback_requested');
    const [dispute] = await this.#rows(`select id from disputes where payment_id = '${paymentId}'`);
    if (dispute === undefined) return;
    if (this.#random.oneIn(2)) await this.#ask(`/disputes/${dispute.id}/evidence`, { text: randomUUID() });
    if (this.#random.oneIn(2)) {
      await this.#simulate(paymentId, this.#random.pick(['chargeback_won', 'chargeback_lost']));
    }
  }

  /** Some clients do not repeat a request that got no answer. */
  #ask(path: string, body?: object): Promise<Json> {
    return this.#journal.ask(this.#prepared.shop, path, body, {
      tries: this.#random.oneIn(8) ? 1 : undefined,
    });
  }

  /** The buyer or the buyer's bank does something. It can be impossible by now, or the acquirer is down. */
  async #simulate(paymentId: string, outcome: SimulatedOutcome): Promise<void> {
    const [payment] = await this.#rows(`select reference from payments where id = '${paymentId}'`);
    if (payment === undefined) return;
    await this.#simulateAt(String(payment.reference), outcome);
  }

  async #simulateAt(reference: string, outcome: SimulatedOutcome): Promise<void> {
    const { account } = this.#prepared.shop;
    const event = { account, reference, outcome, reason: null, occurredAt: new Date() };
    await this.#control.simulate(event).catch(() => {});
  }

  /** Reads rows as soon as the database answers. */
  async #rows(statement: string): Promise<Record<string, unknown>[]> {
    let rows: Record<string, unknown>[] | null = null;
    const read = async () => {
      rows = await sql(this.#databaseUrl, statement).catch(() => null);
      return rows !== null;
    };
    await until('the database answers', read, RECOVERY_LIMIT_MS);
    return rows!;
  }
}
