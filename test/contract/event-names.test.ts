/** The names of events are in several schemas of the contract, and agree. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadContract } from '../../handlers/http/load-contract.ts';

interface Names {
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
}

const { webhooks, components } = loadContract().document as unknown as Names;
const namesOf = (schema: string) => components.schemas[schema]!.enum!.toSorted();
const EVENTS = namesOf('EventName');

const OF_PAYMENTS =
  `created pre_authorized authorized capture_confirmed capture_failed refused expired fraud_detected
  canceled cancel_confirmed cancel_failed updated refund_in_progress refunded refund_denied chargeback_requested
  chargeback_dispute`
    .split(/\s+/)
    .map((name) => `payment.${name}`);
const OF_SUBSCRIPTIONS =
  `created updated inactivated activated past_due unpaid canceled ended completed plan_changed
  charge_succeeded charge_failed`
    .split(/\s+/)
    .map((name) => `subscription.${name}`);

it('they are those that the product promises, and that clients wait for', () =>
  assert.deepEqual(EVENTS, [...OF_PAYMENTS, ...OF_SUBSCRIPTIONS, 'subscription.deleted'].toSorted()));

it('every event and the ping have a chapter in the webhooks of the contract, and every chapter is one of them', () =>
  assert.deepEqual(Object.keys(webhooks).toSorted(), [...EVENTS, 'ping'].toSorted()));

it('an endpoint can choose every event, or all', () =>
  assert.deepEqual(namesOf('WebhookEventChoice'), [...EVENTS, '*'].toSorted()));

it('a delivery can be of every event, or a ping', () =>
  assert.deepEqual(namesOf('WebhookDeliveryEvent'), [...EVENTS, 'ping'].toSorted()));
