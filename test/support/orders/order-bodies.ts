import type { Json } from '../service.ts';
import type { Shop } from '../shop.ts';

/** Valid orders, for tests that make one thing in them invalid. */
export async function orderBodies(shop: Shop) {
  /** With a stored card of a stored customer. */
  const good: Json = await shop.cardOrderBody();
  return {
    good,
    /** The same with other fields of the payment, and of its block. */
    card: (payment: object, block: object = {}) => ({
      ...good,
      payment: { ...good.payment, credit_card: { ...good.payment.credit_card, ...block }, ...payment },
    }),
    /** A new order by Pix with other fields of the payment, and of the order. */
    pix: (payment: object = {}, fields: object = {}) => {
      const body = shop.pixOrderBody();
      return { ...body, ...fields, payment: { ...body.payment, ...payment } };
    },
    line: (quantity: number, amount: number) => ({ name: 'Camiseta', quantity, amount }),
  };
}
