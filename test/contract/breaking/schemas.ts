import type { Json } from '../../support/service.ts';
import { at, type Planted } from './planted-change.ts';

const sent = (contract: Json) => contract.components.schemas.OrderCreate;
const given = (contract: Json) => contract.components.schemas.Order;
const refusal = (contract: Json) => contract.components.schemas.Refusal;

/** What can break in a schema. */
export const SCHEMAS: readonly Planted[] = [
  at(
    'field-removed',
    'OrderCreate.note',
    (c) => delete sent(c).properties.note,
    (c) => (sent(c).properties.memo = { type: 'string' }),
  ),
  at(
    'field-removed',
    'Order.total',
    (c) => {
      given(c).properties.sum = given(c).properties.total;
      delete given(c).properties.total;
    },
    (c) => (given(c).properties.sum = given(c).properties.total),
  ),
  at(
    'field-removed',
    'OrderCreate.note',
    (c) => (sent(c).properties.note.readOnly = true),
    (c) => (sent(c).properties.note.writeOnly = true),
  ),
  at(
    'field-removed',
    'Order.status',
    (c) => (c.components.schemas.Status.writeOnly = true),
    (c) => (given(c).properties.id.readOnly = true),
  ),
  at(
    'field-required',
    'OrderCreate.amount',
    (c) => sent(c).required.push('amount'),
    (c) => {
      sent(c).required.push('stamp');
      sent(c).properties.stamp = { type: 'string', readOnly: true };
    },
  ),
  at(
    'field-required',
    'OrderCreate.amount',
    (c) => sent(c).required.push('amount'),
    (c) => (sent(c).required = []),
  ),
  at(
    'field-optional',
    'Order.id',
    (c) => given(c).required.shift(),
    (c) => given(c).required.push('total'),
  ),
  at(
    'enum-value-removed',
    'Status "lost"',
    (c) => c.components.schemas.Status.enum.pop(),
    (c) => c.components.schemas.Status.enum.push('new'),
  ),
  at(
    'type-changed',
    'OrderCreate.amount',
    (c) => (sent(c).properties.amount.type = 'string'),
    (c) => (sent(c).properties.amount.type = 'number'),
  ),
  at(
    'type-changed',
    'OrderCreate.note',
    (c) => (sent(c).properties.note.type = 'string'),
    (c) => (sent(c).properties.capture.type = ['boolean', 'null']),
  ),
  at(
    'type-changed',
    'OrderCreate.buyer',
    (c) => (sent(c).properties.buyer = sent(c).properties.buyer.anyOf[0]),
    (c) => sent(c).properties.buyer.anyOf.reverse(),
  ),
  at(
    'type-changed',
    'Order.total',
    (c) => (given(c).properties.total.type = ['integer', 'null']),
    (c) => (given(c).properties.parent = { $ref: '#/components/schemas/Order' }),
  ),
  at(
    'type-changed',
    'OrderCreate.tags[]',
    (c) => (sent(c).properties.tags.items.type = 'integer'),
    (c) => (sent(c).properties.tags.items = {}),
  ),
  at(
    'bound-tightened',
    'OrderCreate.code',
    (c) => (sent(c).properties.code.minLength = 2),
    (c) => delete sent(c).properties.code.minLength,
  ),
  at(
    'bound-tightened',
    'OrderCreate.amount',
    (c) => (sent(c).properties.amount.maximum = 999),
    (c) => (sent(c).properties.amount.maximum = 1001),
  ),
  at(
    'bound-tightened',
    'OrderCreate.tags',
    (c) => (sent(c).properties.tags.minItems = 1),
    (c) => (sent(c).properties.tags.minItems = 0),
  ),
  at(
    'bound-tightened',
    'OrderCreate.note',
    (c) => (sent(c).properties.note.enum = ['a', null]),
    (c) => (sent(c).properties.note.description = 'a'),
  ),
  at(
    'bound-loosened',
    'Order.total',
    (c) => (given(c).properties.total.maximum = 1001),
    (c) => (given(c).properties.total.maximum = 999),
  ),
  at(
    'unknown-fields-refused',
    'Buyer',
    (c) => (c.components.schemas.Buyer.additionalProperties = false),
    (c) => (sent(c).additionalProperties = true),
  ),
  at(
    'default-changed',
    'OrderCreate.capture',
    (c) => (sent(c).properties.capture.default = false),
    (c) => (given(c).properties.total.default = 0),
  ),
  at(
    'rule-changed',
    'OrderCreate.code',
    (c) => (sent(c).properties.code.pattern = '^[a-y]+$'),
    (c) => delete sent(c).properties.code.pattern,
  ),
  at(
    'rule-changed',
    'Order.id',
    (c) => delete given(c).properties.id.format,
    (c) => (given(c).properties.total.format = 'int64'),
  ),
  at(
    'rule-changed',
    'OrderCreate.code',
    (c) => (sent(c).properties.code.contentEncoding = 'base64'),
    (c) => (sent(c).properties.code.$comment = 'base64'),
  ),
  at(
    'rule-changed',
    'OrderCreate',
    (c) => sent(c).then.required.push('tags'),
    (c) => (sent(c).description = 'then'),
  ),
  at(
    'rule-changed',
    'Refusal oneOf 3',
    (c) => refusal(c).oneOf.push({ type: 'string' }),
    (c) => refusal(c).oneOf.reverse(),
  ),
  // Keywords beside a reference count, too.
  at(
    'bound-tightened',
    'OrderCreate.buyer',
    (c) => (sent(c).properties.buyer.maxProperties = 1),
    (c) => (sent(c).properties.buyer.description = 'Who buys.'),
  ),
];
