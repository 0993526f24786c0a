import type { Json } from '../../support/service.ts';
import { at, type Planted } from './planted-change.ts';

const create = (contract: Json) => contract.paths['/orders'].post;
const webhook = (contract: Json) => contract.webhooks['order.paid'].post;
const signature = (contract: Json) => webhook(contract).parameters[0];

/** What can break in what the service sends, beside the schemas of it: statuses, and what webhooks carry. */
export const ANSWERS: readonly Planted[] = [
  at(
    'answer-added',
    'createOrder 202',
    (c) => (create(c).responses[202] = {}),
    (c) => (create(c).responses[409] = {}),
  ),
  at(
    'answer-added',
    'createOrder 303',
    (c) => (create(c).responses[303] = {}),
    (c) => (create(c).responses[503] = {}),
  ),
  at(
    'answer-added',
    'createOrder 2XX',
    (c) => (create(c).responses['2XX'] = {}),
    (c) => (create(c).responses['5XX'] = {}),
  ),
  at(
    'answer-header-removed',
    'order.paid header X-Signature',
    (c) => webhook(c).parameters.pop(),
    (c) => webhook(c).parameters.unshift({ name: 'X-New', in: 'header', schema: { type: 'string' } }),
  ),
  at(
    'answer-header-removed',
    'order.paid header X-Signature',
    (c) => (signature(c).required = false),
    (c) => (signature(c).description = 'Other words.'),
  ),
  at(
    'bound-loosened',
    'order.paid header X-Signature',
    (c) => (signature(c).schema.maxLength = 65),
    (c) => (signature(c).schema.maxLength = 63),
  ),
  at(
    'parameter-changed',
    'order.paid header X-Signature',
    (c) => (signature(c).explode = true),
    (c) => (signature(c).explode = false),
  ),
  at(
    'field-optional',
    'order.paid body',
    (c) => delete webhook(c).requestBody.required,
    (c) => (webhook(c).requestBody.description = 'Other words.'),
  ),
  at(
    'body-removed',
    'order.paid body',
    (c) => delete webhook(c).requestBody,
    (c) => (webhook(c).requestBody.content['text/csv'] = {}),
  ),
];
