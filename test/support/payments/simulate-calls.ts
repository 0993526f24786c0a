import assert from 'node:assert/strict';
import type { SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import type { Json, TestAnswer } from '../service.ts';
import type { Shop } from '../shop.ts';

/** Simulates an outcome of a payment. */
export function simulate(shop: Shop, id: string, body: object, idempotencyKey?: string): Promise<TestAnswer> {
  return shop.post(`/sandbox/payments/${id}/simulate`, body, idempotencyKey);
}

/** Simulates an outcome, which must be allowed. The answer must be the payment after it. */
export async function simulated(
  shop: Shop,
  id: string,
  outcome: SimulatedOutcome,
  reason?: string,
): Promise<Json> {
  const asked = { outcome, ...(reason === undefined ? {} : { reason }) };
  const { status, body, text } = await simulate(shop, id, asked);
  assert.equal(status, 200, text);
  assert.deepEqual(await shop.payment(id), body);
  return body;
}
