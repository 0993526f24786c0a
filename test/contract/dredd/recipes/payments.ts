import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { bodied, guarded, inFlight, ofNothing, pageTooLong } from '../refusals.ts';

const EVERY_AMOUNT = { amount_min: '1', amount_max: '99999999' };

const list: Recipe = async ({ shop }) => {
  const { payment } = await paidPix({ shop });
  const { customer_id, order_code } = payment;
  const filters = { per_page: '20', status: 'paid', payment_method: 'pix', customer_id, order_code };
  return { query: { ...filters, ...EVERY_AMOUNT } };
};

/** By card; in the sandbox a Pix that pays itself takes 10 seconds. */
async function paidPix({ shop }: Pick<Scene, 'shop'>) {
  const order = await shop.order({ method: 'pix', amount: 4_990 });
  const simulate = `/sandbox/payments/${order.payment.id}/simulate`;
  const payment = await shop.call('POST', simulate, { body: { outcome: 'paid' } });
  return { payment };
}

const paidByCard = async ({ shop }: Scene) => (await shop.order()).payment;
const authorized = async ({ shop }: Scene) => (await shop.order({ capture: false })).payment;

const read: Recipe = async (scene) => ({ path: { identifier: (await paidByCard(scene)).id } });
const capture: Recipe = async (scene) => ({ path: { id: (await authorized(scene)).id } });
const cancel = capture;
const captured: Recipe = async (scene) => ({ path: { id: (await paidByCard(scene)).id } });
const refund = captured;

const refundTooMuch: Recipe = async (scene) => ({ ...(await refund(scene)), body: { amount: 15_991 } });

const refunds: Recipe = async (scene) => {
  const { path } = await captured(scene);
  await scene.shop.call('POST', `/payments/${path!.id}/refunds`, { body: { amount: 3_000 } });
  return { path: path! };
};

export const payments: RecipesOf<
  'listPayments' | 'getPayment' | 'capturePayment' | 'cancelPayment' | 'listRefunds' | 'createRefund'
> = {
  listPayments: { 200: list, 422: pageTooLong(list), ...guarded(list) },
  getPayment: { 200: read, 404: ofNothing('identifier')(read), ...guarded(read) },
  capturePayment: {
    200: capture,
    404: ofNothing('id')(capture),
    409: inFlight(capture, 'payments'),
    422: captured,
    ...bodied(capture),
    ...guarded(capture),
  },
  cancelPayment: {
    200: cancel,
    404: ofNothing('id')(cancel),
    409: inFlight(cancel, 'payments'),
    422: captured,
    ...guarded(cancel),
  },
  listRefunds: {
    200: refunds,
    404: ofNothing('id')(refunds),
    422: pageTooLong(refunds),
    ...guarded(refunds),
  },
  createRefund: {
    201: refund,
    404: ofNothing('id')(refund),
    409: inFlight(refund, 'payments'),
    422: refundTooMuch,
    ...bodied(refund),
    ...guarded(refund),
  },
};
