import assert from 'node:assert/strict';
import type { Json, TestAnswer } from '../service.ts';
import { created, type Shop } from '../shop.ts';
import { newOffer } from './subscription-calls.ts';

/** A new recurring offer with one price for all cycles. Returns its id. */
export function offerOf(shop: Shop, amount: number, fields: object = {}): Promise<string> {
  return newOffer(shop, { interval: 'monthly', cycles: [{ start: 1, end: null, amount }], ...fields });
}

export function changePlan(shop: Shop, id: string, body: object, key?: string): Promise<TestAnswer> {
  return shop.post(`/subscriptions/${id}/change-plan`, body, key);
}

export function previewPlan(shop: Shop, id: string, body: object): Promise<TestAnswer> {
  return shop.post(`/subscriptions/${id}/change-plan/preview`, body);
}

/** The figures of a change, or of a preview, that is answered with 200. */
export async function figures(answering: Promise<TestAnswer>): Promise<Json> {
  const { status, body, text } = await answering;
  assert.equal(status, 200, text);
  return body.data;
}

/** Changes the plan at once. Returns the figures. */
export function changeNow(shop: Shop, id: string, offer_id: string, fields: object = {}): Promise<Json> {
  return figures(changePlan(shop, id, { offer_id, effective: 'immediate', ...fields }));
}

/** The payments of a subscription, oldest first. */
export async function paymentsOf(shop: Shop, id: string): Promise<Json[]> {
  return (await shop.get(`/payments?subscription_id=${id}&per_page=100`)).data.reverse();
}

/** The outcomes of the next charges of a card. */
export async function script(shop: Shop, card_id: string, ...outcomes: string[]): Promise<void> {
  const all = outcomes.map((outcome) => ({ operation: 'authorize', outcome }));
  await created(shop.post('/sandbox/scripts', { card_id, outcomes: all }));
}
