import { DAY_MS, HOUR_MS } from '../support/clock-calls.ts';
import type { Json } from '../support/service.ts';
import { created, type Shop } from '../support/shop.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../support/wallet/wallet-shop.ts';

/** A request during which the service is killed. */
export interface CrashedRequest {
  readonly path: string;
  readonly body?: object;
  /** The code of its order. */
  readonly code: string;
}

export interface Scenario {
  readonly what: string;
  /** Whether the service handles it as another scenario. */
  readonly isLikeAnother?: true;
  prepare(shop: Shop): Promise<CrashedRequest>;
  /** The kind of the operation in the acquirer's records. */
  readonly operation: string;
  /**
   * The payment and its events: `undone` if the acquirer has not received the operation, else `done`. Without `undone`,
   * the operation is then sent again.
   */
  readonly done: readonly [status: string, ...events: string[]];
  readonly undone?: readonly [status: string, ...events: string[]];
}

async function onPayment(
  shop: Shop,
  capture: boolean,
  action: string,
  body?: object,
): Promise<CrashedRequest> {
  const { id, order_code: code } = await shop.cardPayment({ capture });
  return { path: `/payments/${id}/${action}`, code, ...(body === undefined ? {} : { body }) };
}

async function onDispute(shop: Shop): Promise<CrashedRequest> {
  const { id, order_code: code } = await shop.cardPayment();
  await shop.simulate(id, 'chargeback_requested');
  const [dispute] = (await shop.get(`/disputes?payment_id=${id}`)).data;
  return { path: `/disputes/${dispute.id}/evidence`, body: { text: 'Entregue.' }, code };
}

function onOrder(body: object & { code: string }): CrashedRequest {
  return { path: '/charges/orders', body, code: body.code };
}

async function debitOrder(shop: Shop): Promise<CrashedRequest> {
  const { payment, ...order } = await shop.cardOrderBody();
  const { credit_card, ...rest } = payment;
  const byDebit = { ...rest, payment_method: 'debit_card', debit_card: { id: credit_card.id } };
  const body = { ...order, payment: byDebit };
  return onOrder(body);
}

async function walletOrder(shop: Shop, block?: object) {
  const domain = domainOf(shop);
  await verifiedDomain(shop, domain);
  return walletOrderBody(shop, { domain }, block);
}

const RESERVED = ['payment.created', 'payment.pre_authorized', 'payment.authorized'];
const PAID = ['payment.created', 'payment.authorized', 'payment.updated'];

export const SCENARIOS: readonly Scenario[] = [
  {
    what: 'an order by card',
    prepare: async (shop) => onOrder(await shop.cardOrderBody()),
    operation: 'authorization',
    done: ['paid', ...PAID],
    undone: ['refused', 'payment.created', 'payment.refused'],
  },
  {
    what: 'an order by Pix',
    prepare: async (shop) => onOrder(shop.pixOrderBody()),
    operation: 'pix_charge',
    done: ['waiting_payment', 'payment.created', 'payment.updated'],
    undone: ['refused', 'payment.created', 'payment.refused'],
  },
  {
    what: 'an order by boleto',
    isLikeAnother: true,
    prepare: async (shop) => onOrder(shop.bankSlipOrderBody()),
    operation: 'bank_slip_charge',
    done: ['waiting_payment', 'payment.created', 'payment.updated'],
    undone: ['refused', 'payment.created', 'payment.refused'],
  },
  {
    what: 'an order by debit card',
    isLikeAnother: true,
    prepare: debitOrder,
    operation: 'authorization',
    done: ['paid', ...PAID],
    undone: ['refused', 'payment.created', 'payment.refused'],
  },
  {
    what: 'an order by wallet',
    isLikeAnother: true,
    prepare: async (shop) => onOrder(await walletOrder(shop)),
    operation: 'authorization',
    done: ['paid', ...PAID],
    undone: ['refused', 'payment.created', 'payment.refused'],
  },
  {
    what: 'a capture of a part',
    prepare: (shop) => onPayment(shop, false, 'capture', { amount: 4_000 }),
    operation: 'capture',
    done: ['paid', ...RESERVED, 'payment.capture_confirmed'],
  },
  {
    what: 'a cancellation',
    prepare: (shop) => onPayment(shop, false, 'cancel'),
    operation: 'cancel',
    done: ['canceled', ...RESERVED, 'payment.canceled', 'payment.cancel_confirmed'],
  },
  {
    what: 'a refund of a part',
    prepare: (shop) => onPayment(shop, true, 'refunds', { amount: 4_000 }),
    operation: 'refund',
    done: ['partially_refunded', ...PAID, 'payment.refund_in_progress', 'payment.refunded'],
  },
  {
    what: 'evidence against a dispute',
    prepare: onDispute,
    operation: 'dispute_evidence',
    done: ['chargeback_dispute', ...PAID, 'payment.chargeback_requested', 'payment.chargeback_dispute'],
  },
];

/** A step of a payment that a worker runs at its time, during which the worker is killed. */
export interface ClockScenario {
  readonly what: string;
  /** The payment whose step is due this long after now. */
  prepare(shop: Shop): Promise<Json>;
  readonly due_ms: number;
  readonly operation: string;
  /** The payment and its events, wherever the worker died. */
  readonly done: readonly [status: string, ...events: string[]];
}

export const CLOCK_SCENARIOS: readonly ClockScenario[] = [
  {
    what: 'the void of an authorization after 7 days',
    prepare: (shop) => shop.authorized(),
    due_ms: 7 * DAY_MS,
    operation: 'cancel',
    done: ['canceled', ...RESERVED, 'payment.canceled', 'payment.cancel_confirmed'],
  },
  {
    what: 'the delayed capture of an order by wallet',
    prepare: async (shop) => {
      const body = await walletOrder(shop, { capture_delay_hours: 24 });
      return (await created(shop.order(body))).payment;
    },
    due_ms: 24 * HOUR_MS,
    operation: 'capture',
    done: ['paid', ...RESERVED, 'payment.capture_confirmed'],
  },
];
