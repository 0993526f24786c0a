import { randomBytes, randomUUID } from 'node:crypto';
import { makeApiKey } from '../../../domain/merchants/api-key.ts';
import { encryptCard, type PlainCard, VISA } from '../../support/cards/cards.ts';
import { faultInContract, operationAt } from '../../support/http/contract-check.ts';
import { customerBody } from '../../support/orders/parties.ts';
import {
  type CallOptions,
  type Json,
  send,
  type TestAnswer,
  type TestService,
} from '../../support/service.ts';
import type { Steps } from './steps.ts';

/** A merchant, and what it can bring about by its own API key. */
export interface ContractMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
  /** A well-formed key of the sandbox that was never given out. */
  unknownKey(): string;
  /** The body of a 2xx answer; any other fails. */
  call(method: string, path: string, options?: CallOptions): Promise<Json>;
  /** Any answer. One that the contract does not describe is noted as a broken step. */
  try(method: string, path: string, options?: CallOptions): Promise<TestAnswer>;
  /** A key of the merchant that may only do what is listed. */
  keyThatMay(...permissions: string[]): Promise<string>;
  /** A card as `encrypted` of createCard. */
  encrypted(card: Partial<PlainCard>): Promise<string>;
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

/** What a merchant works with: the root of the service, and where it notes what goes wrong. */
export interface Surroundings {
  readonly url: string;
  readonly steps: Steps;
}

/** A new merchant of a service in this process. */
export async function openMerchant(
  service: TestService,
  { url, steps }: Surroundings,
): Promise<ContractMerchant> {
  const onboarded = await service.newMerchant();
  const { apiKey, encryptionKey, merchant } = onboarded;
  return {
    ...merchantOf(apiKey, async (card) => encryptCard(card, encryptionKey), { url, steps }),
    merchantId: merchant.merchantId,
    unknownKey: () => makeApiKey('sandbox', merchant.slot, randomBytes),
    keyThatMay: async (...permissions) => (await service.newKey(onboarded, permissions)).apiKey,
  };
}

/** What a merchant can do by its API key alone. */
export function merchantOf(
  apiKey: string,
  encrypted: ContractMerchant['encrypted'],
  { url, steps }: Surroundings,
): Omit<ContractMerchant, 'merchantId' | 'unknownKey' | 'keyThatMay'> {
  const attempt: ContractMerchant['try'] = async (method, path, options = {}) => {
    const answer = await send(url, apiKey, method, path, options).catch((error: Error) => {
      steps.broken(operationIdOf(method, path), `${method} ${path} failed: ${error.message}`);
      throw error;
    });
    const fault = faultInContract(method, path, answer);
    if (fault !== null) steps.broken(operationIdOf(method, path), fault);
    return answer;
  };
  const call: ContractMerchant['call'] = async (method, path, options) => {
    const answer = await attempt(method, path, options);
    if (answer.status < 300) return answer.body;
    const reason = `${method} ${path} answered ${answer.status} ${answer.text}`;
    steps.broken(operationIdOf(method, path), reason);
    throw new Error(`To prepare, ${reason}`);
  };
  const customer: ContractMerchant['customer'] = (fields) =>
    call('POST', '/customers', { body: customerBody({ metadata: { student: '4711' }, ...fields }) });
  const card: ContractMerchant['card'] = async (customerId, plain = VISA) =>
    call('POST', '/cards', {
      body: { customer_id: customerId, encrypted: await encrypted(plain) },
    });

  return {
    apiKey,
    call,
    try: attempt,
    encrypted,
    customer,
    card,
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

function operationIdOf(method: string, path: string): string {
  return operationAt(method, path)?.operationId ?? `${method} ${path}`;
}
