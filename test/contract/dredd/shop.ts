import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { encryptCard, type PlainCard, VISA } from '../../support/cards.ts';
import { customerBody } from '../../support/parties.ts';
import {
  type CallOptions,
  type Json,
  request,
  type TestAnswer,
  type TestService,
} from '../../support/service.ts';

/** A merchant, and what it can bring about by its own API key. */
export interface Shop {
  readonly onboarded: TestService['merchant'];
  readonly apiKey: string;
  /** The body of a 2xx answer; any other fails. */
  call(method: string, path: string, options?: CallOptions): Promise<Json>;
  /** Whatever the answer is, it is one of the contract's. */
  try(method: string, path: string, options?: CallOptions): Promise<TestAnswer>;
  /** A key of the shop that may only do what is listed. */
  keyThatMay(...permissions: string[]): Promise<string>;
  customer(fields?: object): Promise<Json>;
  card(customerId: string, card?: PlainCard): Promise<Json>;
  /** A placed order; its customer and its card are new unless named. */
  order(order?: OrderOptions): Promise<Json>;
}

export interface OrderOptions {
  readonly amount?: number;
  readonly method?: 'credit_card' | 'pix';
  readonly capture?: boolean;
  readonly card?: PlainCard;
}

export async function openShop(service: TestService): Promise<Shop> {
  const onboarded = await service.newMerchant();
  const { apiKey, encryptionKey } = onboarded;

  const attempt: Shop['try'] = (method, path, options = {}) =>
    request(service.url, apiKey, method, path, options);
  const call: Shop['call'] = async (method, path, options) => {
    const answer = await attempt(method, path, options);
    assert.ok(answer.status < 300, `to prepare, ${method} ${path} answered ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const customer: Shop['customer'] = (fields) =>
    call('POST', '/customers', { body: customerBody({ metadata: { student: '4711' }, ...fields }) });
  const card: Shop['card'] = (customerId, plain = VISA) =>
    call('POST', '/cards', {
      body: { customer_id: customerId, encrypted: encryptCard(plain, encryptionKey) },
    });

  return {
    onboarded,
    apiKey,
    call,
    try: attempt,
    customer,
    card,
    keyThatMay: async (...permissions) => (await service.newKey(onboarded, permissions)).apiKey,
    order: async ({ amount = 15_990, method = 'credit_card', capture = true, card: plain } = {}) => {
      const { id: customerId } = await customer();
      const credit_card =
        method === 'pix' ? undefined : { id: (await card(customerId, plain)).id as string, capture };
      return call('POST', '/charges/orders', {
        body: {
          code: randomUUID(),
          mcc: '5734',
          customer: { id: customerId },
          payment: { amount, payment_method: method, ...(credit_card && { credit_card }) },
          metadata: { campaign: 'black-friday' },
        },
      });
    },
  };
}
