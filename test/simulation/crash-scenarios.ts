import type { Shop } from '../support/shop.ts';

/** What a service is asked when it dies. */
export interface Asked {
  readonly path: string;
  readonly body?: object;
  /** Of the order that it is about. */
  readonly code: string;
}

export interface Scenario {
  readonly what: string;
  prepare(shop: Shop): Promise<Asked>;
  /** In the acquirer's books. */
  readonly operation: string;
  /** The payment and its events, if the acquirer did it and if it did not. */
  readonly done: readonly [status: string, ...events: string[]];
  readonly undone: readonly [status: string, ...events: string[]];
}

async function onPayment(shop: Shop, capture: boolean, action: string, body?: object): Promise<Asked> {
  const { id, order_code: code } = await shop.cardPayment({ capture });
  return { path: `/payments/${id}/${action}`, code, ...(body === undefined ? {} : { body }) };
}

function onOrder(body: object & { code: string }): Asked {
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
