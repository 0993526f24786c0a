import { isOrderCodeUsed } from '../../db/orders/orders.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PlacedOrder } from '../../domain/orders/order.ts';
import type { Deps, Finish } from '../deps.ts';
import { methodInput } from '../payments/methods/index.ts';
import { prepareNamed } from '../payments/methods/prepare-named.ts';
import { requireAcquirer } from '../payments/require-acquirer.ts';
import { type BegunOrder, beginOrder } from './begin-order.ts';
import { chargeOrder } from './charge-order.ts';
import type { NewOrder } from './new-order.ts';
import { checkOrder, withEveryViolation } from './order-rules.ts';

/**
 * Places an order of the merchant and charges it: see `chargeOrder`. Refusals: all fields that break a rule, together;
 * `unavailable` if no acquirer is configured.
 */
export function createOrder<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewOrder,
  finish: Finish<PlacedOrder, Answer>,
): Promise<Answer> {
  const begin = () =>
    beginChecked(deps, merchant, input).catch(async (error: unknown) => {
      const isCodeUsed = () => isOrderCodeUsed(deps.db, merchant, input.code);
      throw await withEveryViolation(deps, merchant, { ...input, isCodeUsed }, error);
    });
  const { id, isRerun } = input;
  return chargeOrder(deps, merchant, { id, isRerun, begin }, finish);
}

async function beginChecked(deps: Deps, merchant: Merchant, input: NewOrder): Promise<BegunOrder> {
  await checkOrder(deps, merchant, input);
  requireAcquirer(deps, 'No order can be taken');
  const { payment } = input;
  const prepared = await prepareNamed(deps, merchant, payment.method, methodInput(payment));
  return deps.db.transaction(merchant, (tx) => beginOrder({ deps, tx, merchant }, input, prepared));
}
