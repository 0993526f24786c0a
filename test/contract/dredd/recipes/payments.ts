import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { bodyRefusals, unknownId } from '../refusals.ts';
import { actionAnswers, createAnswers, listAnswers, readAnswers } from '../usual-answers.ts';

const EVERY_AMOUNT = { amount_min: '1', amount_max: '99999999' };

const list: Recipe = async (scene) => {
  const { customer_id, order_code } = await paidByPix(scene);
  const filters = { per_page: '20', status: 'paid', payment_method: 'pix', customer_id, order_code };
  return { query: { ...filters, ...EVERY_AMOUNT } };
};

async function paidByPix({ merchant }: Scene) {
  const { payment } = await merchant.order({ method: 'pix', amount: 4_990 });
  return merchant.call('POST', `/sandbox/payments/${payment.id}/simulate`, { body: { outcome: 'paid' } });
}

const paidByCard = async ({ merchant }: Scene) => (await merchant.order()).payment;
const authorized = async ({ merchant }: Scene) => (await merchant.order({ capture: false })).payment;

const read: Recipe = async (scene) => ({ path: { identifier: (await paidByCard(scene)).id } });
const capture: Recipe = async (scene) => ({ path: { identifier: (await authorized(scene)).id } });
const cancel = capture;
const refund: Recipe = async (scene) => ({ path: { identifier: (await paidByCard(scene)).id } });
/** A captured payment cannot be captured again or canceled. */
const tooLate = refund;

const refundTooMuch: Recipe = async (scene) => ({ ...(await refund(scene)), body: { amount: 15_991 } });

const refunds: Recipe = async (scene) => {
  const { path } = await refund(scene);
  await refunded(scene, path!.identifier!);
  return { path: path! };
};

const oneRefund: Recipe = async (scene) => {
  const { path } = await refund(scene);
  const { id } = await refunded(scene, path!.identifier!);
  return { path: { ...path!, refund_id: id } };
};

function refunded({ merchant }: Scene, identifier: string) {
  const body = { amount: 3_000, reason: 'Uma apostila devolvida', metadata: { ticket: '4711' } };
  return merchant.call('POST', `/payments/${identifier}/refunds`, { body });
}

export const payments: RecipesOf<
  | 'listPayments'
  | 'getPayment'
  | 'capturePayment'
  | 'cancelPayment'
  | 'listRefunds'
  | 'createRefund'
  | 'getRefund'
> = {
  listPayments: listAnswers(list),
  getPayment: readAnswers(read, 'identifier'),
  capturePayment: {
    ...actionAnswers(capture, 'payments', 'identifier'),
    422: tooLate,
    ...bodyRefusals(capture),
  },
  cancelPayment: { ...actionAnswers(cancel, 'payments', 'identifier'), 422: tooLate },
  listRefunds: { ...listAnswers(refunds), 404: unknownId('identifier')(refunds) },
  getRefund: readAnswers(oneRefund, 'refund_id'),
  createRefund: {
    ...createAnswers(refund, 'payments', refundTooMuch),
    404: unknownId('identifier')(refund),
  },
};
