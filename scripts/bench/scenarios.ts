import { randomBytes } from 'node:crypto';
import type { StoredCard } from './cards.ts';
import { validCpf } from './documents.ts';
import { SPLIT_RECIPIENTS } from './recipients.ts';

/** One load for one server. */
export interface Job {
  readonly origin: string;
  readonly scenario: Scenario;
  /** API keys of different merchants, used in turns. */
  readonly keys: readonly string[];
  /** Customers of the merchants of `keys`, in the same order. */
  readonly customerIds: readonly (readonly string[])[];
  /** Cards of the same merchants, in the same order. */
  readonly cards: readonly (readonly StoredCard[])[];
  /** Hashes of payment links of the same merchants. */
  readonly links?: readonly string[];
  /** The cursor of the page. Null for the first page. */
  readonly cursor?: string | null;
  readonly connections: number;
  /** Requests a second in an open loop. Null: a closed loop, in which each connection waits for its answer. */
  readonly rate: number | null;
  readonly warmUp_s: number;
  readonly seconds: number;
  /** Whether the result lists each latency, so that those of several jobs can be joined. */
  readonly listsLatencies?: boolean;
}

/** The result of a job. Latencies of answers with the expected status, and separately of refusals (503). */
export interface Tally {
  readonly accepted_per_s: number;
  readonly refused_per_s: number;
  /** Answers of any other status, and broken connections. */
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** The latency of each accepted request, if the job asks for them. */
  readonly latencies_ms?: readonly number[];
  readonly refused_p50_ms: number;
  readonly refused_p99_ms: number;
}

interface NextRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** The network address of the client, as a proxy passes it on. */
  readonly address?: string;
  readonly expected: number;
  readonly turn: number;
}

export type Scenario =
  | 'getCustomer'
  | 'listPayments'
  | 'createCustomer'
  | 'createOrder'
  | 'createCardOrder'
  | 'createSplitOrder'
  | 'getBalance'
  | 'listLedgerEntries'
  | 'showCheckoutPage';

/** The operations that are measured, by their names in the contract. */
export const SCENARIOS: Readonly<Record<Scenario, (job: Job) => () => NextRequest>> = {
  getCustomer: (job) =>
    inTurns((turn) => ({ method: 'GET', path: `/api/v1/customers/${customerOf(job, turn)}`, expected: 200 })),
  listPayments: ({ cursor }) => {
    const path = `/api/v1/payments${cursor === undefined || cursor === null ? '' : `?cursor=${cursor}`}`;
    return inTurns(() => ({ method: 'GET', path, expected: 200 }));
  },
  createCustomer: () => {
    const run = randomBytes(6).toString('hex');
    return inTurns((turn) => ({
      method: 'POST',
      path: '/api/v1/customers',
      body: JSON.stringify(customerBody(`${run}-${turn}@example.com`, turn)),
      expected: 201,
    }));
  },
  createOrder: (job) =>
    orders((turn) => ({
      customer: { id: customerOf(job, turn) },
      payment: { payment_method: 'pix', amount: 4990 },
    })),
  createCardOrder: (job) => cardOrders(job, {}),
  createSplitOrder: (job) =>
    cardOrders(job, {
      split: Array.from({ length: SPLIT_RECIPIENTS }, (_, i) => ({
        recipient_id: i + 1,
        type: 'percentage',
        amount: 15,
        allow_charge_processing_fee: i === 0,
      })),
    }),
  getBalance: () => inTurns(() => ({ method: 'GET', path: '/api/v1/balance', expected: 200 })),
  listLedgerEntries: () => inTurns(() => ({ method: 'GET', path: '/api/v1/ledger-entries', expected: 200 })),
  showCheckoutPage: ({ links = [] }) =>
    inTurns((turn) => ({
      method: 'GET',
      path: `/l/${links[turn % links.length]}`,
      // One address cannot make as many requests.
      address: `10.${turn % 250}.0.1`,
      expected: 200,
    })),
};

function cardOrders(job: Job, more: object): () => NextRequest {
  return orders((turn) => {
    const { id, customerId } = ofTurn(job.cards, turn);
    return {
      customer: { id: customerId },
      payment: { payment_method: 'credit_card', amount: 4990, credit_card: { id }, ...more },
    };
  });
}

function orders(fields: (turn: number) => object): () => NextRequest {
  const run = randomBytes(6).toString('hex');
  return inTurns((turn) => ({
    method: 'POST',
    path: '/api/v1/charges/orders',
    body: JSON.stringify({
      code: `${run}-${turn}`,
      mcc: '5734',
      items: [{ name: 'Caneca', quantity: 1, amount: 4990 }],
      ...fields(turn),
    }),
    expected: 201,
  }));
}

function inTurns(request: (turn: number) => Omit<NextRequest, 'turn'>): () => NextRequest {
  let turn = 0;
  return () => {
    turn += 1;
    return { ...request(turn), turn };
  };
}

function customerOf({ customerIds }: Job, turn: number): string {
  return ofTurn(customerIds, turn);
}

/** One item of the next merchant. */
function ofTurn<Item>(items: readonly (readonly Item[])[], turn: number): Item {
  const own = items[turn % items.length]!;
  return own[(turn * 7919) % own.length]!;
}

function customerBody(email: string, turn: number): object {
  return {
    name: 'Ana Beatriz Souza',
    email,
    documents: [{ type: 'cpf', value: validCpf(turn) }],
    addresses: [
      {
        type: 'billing',
        postal_code: '01310100',
        line_1: 'Avenida Paulista',
        number: '1000',
        line_2: 'Conjunto 42',
        neighborhood: 'Bela Vista',
        city: 'São Paulo',
        state: 'SP',
        country: 'BR',
      },
    ],
    phone: { type: 'mobile', ddi: '55', ddd: '11', number: '998765432' },
    metadata: { origem: 'loja' },
  };
}
