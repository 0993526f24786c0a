import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SimulatedOutcome } from '../../gateway/sandbox-control.ts';
import { now } from '../../services/deps.ts';
import type { NewMerchantInput, OnboardedMerchant } from '../../services/merchants/create-merchant.ts';
import { encryptCard, VISA } from './cards/cards.ts';
import { ADDRESS, CPF, customerBody } from './orders/parties.ts';
import type { CallOptions, Json, TestAnswer, TestService } from './service.ts';

export interface CardOrder {
  readonly number?: string | undefined;
  readonly amount?: number | undefined;
  readonly capture?: boolean;
  readonly installments?: number;
  readonly customer?: object;
  /** Fields of the order itself. */
  readonly order?: object;
}

/** A merchant of a test's own, with short calls for what merchants do. */
export class Shop {
  readonly service: TestService;
  readonly onboarded: OnboardedMerchant;

  constructor(service: TestService, onboarded: OnboardedMerchant) {
    this.service = service;
    this.onboarded = onboarded;
  }

  static async open(service: TestService, input: Partial<NewMerchantInput> = {}): Promise<Shop> {
    return new Shop(service, await service.newMerchant(input));
  }

  get account(): string {
    return this.onboarded.merchant.merchantId;
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<TestAnswer> {
    return this.service.call(method, path, { key: this.onboarded.apiKey, ...options });
  }

  post(path: string, body?: object, idempotencyKey?: string): Promise<TestAnswer> {
    return this.call('POST', path, {
      ...(body === undefined ? {} : { body }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  }

  async get(path: string): Promise<Json> {
    const { status, body, text } = await this.call('GET', path);
    assert.equal(status, 200, text);
    return body;
  }

  /** A new customer's id. */
  async customer(fields: object = {}): Promise<string> {
    return (await created(this.post('/customers', customerBody(fields)))).id;
  }

  /** A new card's id. */
  async card(customerId: string, number = VISA.number): Promise<string> {
    const encrypted = encryptCard({ ...VISA, number }, this.onboarded.encryptionKey);
    return (await created(this.post('/cards', { customer_id: customerId, encrypted }))).id;
  }

  /** The body of an order by card, for a new customer with a new card. */
  async cardOrderBody(wanted: CardOrder = {}) {
    const { number, amount = 10_000, capture, installments, order } = wanted;
    const customerId = await this.customer(wanted.customer);
    const id = await this.card(customerId, number);
    return {
      code: randomUUID(),
      mcc: '5734',
      customer: { id: customerId },
      payment: {
        amount,
        payment_method: 'credit_card',
        ...(installments === undefined ? {} : { installments }),
        credit_card: { id, ...(capture === undefined ? {} : { capture }) },
      },
      ...order,
    };
  }

  pixOrderBody(amount = 5_000, pix?: object, order: object = {}) {
    return {
      code: randomUUID(),
      mcc: '5734',
      customer: customerBody(),
      payment: { amount, payment_method: 'pix', ...(pix === undefined ? {} : { pix }) },
      ...order,
    };
  }

  bankSlipOrderBody(amount = 5_000, bank_slip?: object, customer: object = {}) {
    const payer = { documents: [{ type: 'cpf', value: CPF }], addresses: [ADDRESS], ...customer };
    return {
      code: randomUUID(),
      mcc: '5734',
      customer: customerBody(payer),
      payment: { amount, payment_method: 'bank_slip', ...(bank_slip === undefined ? {} : { bank_slip }) },
    };
  }

  /** The payment of a new order by boleto. */
  async bankSlipPayment(amount?: number, bank_slip?: object): Promise<Json> {
    return (await this.placed(this.bankSlipOrderBody(amount, bank_slip))).payment;
  }

  order(body: object, idempotencyKey?: string): Promise<TestAnswer> {
    return this.post('/charges/orders', body, idempotencyKey);
  }

  /** The record of a new order. */
  placed(body: object, idempotencyKey?: string): Promise<Json> {
    return created(this.order(body, idempotencyKey));
  }

  /** The payment of a new order by card. */
  async cardPayment(wanted: CardOrder = {}): Promise<Json> {
    return (await this.placed(await this.cardOrderBody(wanted))).payment;
  }

  /** The payment of a new order by card that is not captured. */
  authorized(number?: string): Promise<Json> {
    return this.cardPayment({ capture: false, number });
  }

  /** The payment of a new order by Pix. */
  async pixPayment(amount?: number, pix?: object): Promise<Json> {
    return (await this.placed(this.pixOrderBody(amount, pix))).payment;
  }

  capture(id: string, amount?: number): Promise<TestAnswer> {
    return this.post(`/payments/${id}/capture`, amount === undefined ? undefined : { amount });
  }

  cancel(id: string): Promise<TestAnswer> {
    return this.post(`/payments/${id}/cancel`);
  }

  refund(id: string, amount?: number): Promise<TestAnswer> {
    return this.post(`/payments/${id}/refunds`, amount === undefined ? undefined : { amount });
  }

  payment(id: string): Promise<Json> {
    return this.get(`/payments/${id}`);
  }

  /** Events of a payment, oldest first. */
  async events(paymentId: string): Promise<Json[]> {
    return (await this.get(`/events?per_page=100&payment_id=${paymentId}`)).data.reverse();
  }

  async eventNames(paymentId: string): Promise<string[]> {
    return (await this.events(paymentId)).map(({ event }) => event);
  }

  /** Our reference of the payment at the acquirer. */
  async reference(paymentId: string): Promise<string> {
    const [row] = await this.service.rows<{ reference: string }>(
      'select reference from payments where merchant_id = :account and id = :id',
      { account: this.account, id: paymentId },
    );
    return row!.reference;
  }

  /** Runs what the acquirer has to do within this time from now, and delivers its notifications. */
  async acquirerWorks(ms: number): Promise<void> {
    await this.service.control.runDue(this.account, new Date(Date.now() + ms));
  }

  /** Suspends the merchant: it can take no payments. */
  async suspend(): Promise<void> {
    const { account } = this;
    await this.service.rows("update merchants set status = 'suspended' where merchant_id = :account", {
      account,
    });
  }

  /** Simulates an outcome at the acquirer, and waits for its notification. The outcome may be refused. */
  async trySimulate(reference: string, outcome: SimulatedOutcome, reason: string | null = null) {
    const occurredAt = now(this.service.deps, this.onboarded.merchant);
    return this.service.control.simulate({ account: this.account, reference, outcome, reason, occurredAt });
  }

  /** Simulates an outcome of a payment. It must be allowed. */
  async simulate(paymentId: string, outcome: SimulatedOutcome, reason: string | null = null): Promise<void> {
    const result = await this.trySimulate(await this.reference(paymentId), outcome, reason);
    assert.deepEqual(result, { kind: 'done' });
  }
}

/** The body of a 201. */
export async function created(answer: Promise<TestAnswer>): Promise<Json> {
  const { status, body, text } = await answer;
  assert.equal(status, 201, text);
  return body;
}

/** Fails unless the answer is a 422 that names exactly these fields. */
export function assertRefused(answer: TestAnswer, ...paths: string[]): void {
  assert.equal(answer.status, 422, answer.text);
  assert.deepEqual(Object.keys(answer.body.errors ?? {}).sort(), [...paths].sort(), answer.text);
}

/** An id that does not exist. */
export const UNKNOWN_ID = '01a1ff1f-49b8-74d4-b96f-58da6d4a8512';

export function statusesOf(payment: Json): string[] {
  return payment.history.map((step: Json) => step.status);
}
