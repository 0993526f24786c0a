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

it('every event and the ping have a chapter in the webhooks of the contract, and every chapter is one of them', () =>
  assert.deepEqual(Object.keys(webhooks).toSorted(), [...EVENTS, 'ping'].toSorted()));

it('an endpoint can choose every event, or all', () =>
  assert.deepEqual(namesOf('WebhookEventChoice'), [...EVENTS, '*'].toSorted()));

it('a delivery can be of every event, or a ping', () =>
  assert.deepEqual(namesOf('WebhookDeliveryEvent'), [...EVENTS, 'ping'].toSorted()));
