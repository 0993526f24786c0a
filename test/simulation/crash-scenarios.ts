import type { Shop } from '../support/shop.ts';

/** A request during which the service is killed. */
export interface CrashedRequest {
  readonly path: string;
  readonly body?: object;
  /** The code of its order. */
  readonly code: string;
}

export interface Scenario {
  readonly what: string;
  prepare(shop: Shop): Promise<CrashedRequest>;
  /** The kind of the operation in the acquirer's records. */
  readonly operation: string;
  /** The payment and its events: `done` if the acquirer has carried out the operation, else `undone`. */
  readonly done: readonly [status: string, ...events: string[]];
  readonly undone: readonly [status: string, ...events: string[]];
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

function onOrder(body: object & { code: string }): CrashedRequest {
  return { path: '/charges/orders', body, code: body.code };
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
    what: 'a capture of a part',
    prepare: (shop) => onPayment(shop, false, 'capture', { amount: 4_000 }),
    operation: 'capture',
    done: ['paid', ...RESERVED, 'payment.capture_confirmed'],
    undone: ['pre_authorized', ...RESERVED, 'payment.capture_failed'],
  },
  {
    what: 'a cancellation',
    prepare: (shop) => onPayment(shop, false, 'cancel'),
    operation: 'cancel',
    done: ['canceled', ...RESERVED, 'payment.canceled', 'payment.cancel_confirmed'],
    undone: ['pre_authorized', ...RESERVED, 'payment.cancel_failed'],
  },
  {
    what: 'a refund of a part',
    prepare: (shop) => onPayment(shop, true, 'refunds', { amount: 4_000 }),
    operation: 'refund',
    done: ['partially_refunded', ...PAID, 'payment.refund_in_progress', 'payment.refunded'],
    undone: ['paid', ...PAID, 'payment.refund_in_progress', 'payment.refund_denied'],
  },
];
