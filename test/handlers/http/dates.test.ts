import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ContractOperation } from '../../../handlers/http/contract.ts';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { fieldsOfBody } from '../../support/http/hostile-bodies.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { subscriptionBody } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const { document, operations } = loadContract();

/** Texts with the form of a date or an instant that name none from year 1 to year 9999. */
const IMPOSSIBLE = [
  '0000-01-01',
  '2027-02-29',
  '10000-01-01',
  '+010000-01-01',
  '-000001-01-01',
  '2026-12-31T23:59:60Z',
  '2026-12-31T20:59:60-03:00',
  '2026-12-31T24:00:00Z',
  '2027-02-29T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '0000-06-01T00:00:00Z',
  '0001-01-01T00:00:00+03:00',
  '9999-12-31T23:59:59-03:00',
  '9999-12-31T24:00:00Z',
  '2026-12-31T23:59:59+03',
  '2026-12-31 23:59:59Z',
  '2026-12-31T23:59:59Z\n',
];

/** The first and the last days and instants that exist. A field can refuse them by a rule of its own. */
const EXTREME = [
  '0001-01-01',
  '9999-12-31',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  '9999-12-31T20:59:59-03:00',
];

/** A field of a body or a parameter of a query that is a date or an instant. */
interface DateField {
  readonly operation: ContractOperation;
  readonly place: 'body' | 'query';
  readonly path: readonly string[];
}

function isDate(schema: Json): boolean {
  const own = [schema.format, schema.then?.format, schema.else?.format];
  return own.includes('date') || own.includes('date-time');
}

function resolved(node: Json): Json {
  if (node.$ref === undefined) return node;
  return resolved(
    node.$ref
      .slice(2)
      .split('/')
      .reduce((target: Json, part: string) => target[part], document),
  );
}

const fields: DateField[] = [...operations.values()].flatMap((operation) => {
  const { path, method, operationId, takesBody } = operation;
  const parameters: Json[] = ((document as Json).paths[path][method].parameters ?? []).map(resolved);
  const dates = parameters.filter(({ schema }) => isDate(resolved(schema)));
  return [
    ...dates.map(({ in: place, name }) => ({ operation, place, path: [name] })),
    ...(takesBody ? fieldsOfBody(operationId) : [])
      .filter(({ schema }) => isDate(schema))
      .map((field) => ({ operation, place: 'body' as const, path: field.path })),
  ];
});

/** A request with this field alone. */
function requestWith(
  { operation, place, path }: DateField,
  value: string,
): [method: string, path: string, body?: Json] {
  const { method, path: template } = operation;
  const there = template.replaceAll(/\{\w+\}/g, UNKNOWN_ID);
  if (place === 'query') return [method.toUpperCase(), `${there}?${path[0]}=${encodeURIComponent(value)}`];
  const inner = path.reduceRight<unknown>((body, name) => (name === '0' ? [body] : { [name]: body }), value);
  return [method.toUpperCase(), there, inner];
}

describe('a date or an instant of a request', () => {
  it('is found in bodies and in queries', () => {
    assert.ok(fields.filter(({ place }) => place === 'body').length >= 10, `${fields.length} fields`);
    assert.ok(fields.filter(({ place }) => place === 'query').length >= 10);
    assert.deepEqual(
      fields.filter(({ place }) => !['body', 'query'].includes(place)),
      [],
    );
  });

  for (const field of fields) {
    const name = field.path.join('.');
    it(`must exist, from year 1 to year 9999: ${name} of ${field.operation.operationId}`, async () => {
      for (const value of IMPOSSIBLE) {
        const [method, path, body] = requestWith(field, value);
        const { status, text, body: refusal } = await service.call(method, path, { ...(body && { body }) });
        assert.equal(status, 422, `${value}: ${text}`);
        assert.ok(
          refusal.errors[name]?.some((sentence: string) => /date/.test(sentence)),
          `${value}: ${text}`,
        );
      }
      for (const value of EXTREME) {
        const [method, path, body] = requestWith(field, value);
        const { status, text } = await service.call(method, path, { ...(body && { body }) });
        assert.ok(status < 500, `${value}: ${text}`);
      }
    });
  }
});

describe('a request that is valid but for its date', () => {
  const requests: [
    path: string,
    name: string,
    body: (shop: Shop, value: string) => object | Promise<object>,
  ][] = [
    ['/payment-links', 'expires_at', (_, expires_at) => linkBody({ expires_at })],
    [
      '/charges/orders',
      'payment.pix.expires_at',
      (shop, expires_at) => shop.pixOrderBody(5_000, { expires_at }),
    ],
    [
      '/charges/orders',
      'payment.bank_slip.due_at',
      (shop, due_at) => shop.bankSlipOrderBody(5_000, { due_at }),
    ],
    ['/charges/subscriptions', 'start_at', (shop, start_at) => subscriptionBody(shop, { start_at })],
    [
      '/charges/subscriptions',
      'payment.pix.expires_at',
      (_, expires_at) => issuedBody({ payment_method: 'pix', pix: { expires_at } }),
    ],
    ['/sandbox/clock/advance', 'to', (_, to) => ({ to })],
  ];
  for (const [path, name, bodyWith] of requests) {
    it(`is refused with the name of the field: ${name} of ${path}`, async () => {
      const shop = await Shop.open(service);
      for (const value of IMPOSSIBLE) {
        assertRefused(await shop.post(path, await bodyWith(shop, value)), name);
      }
      for (const value of EXTREME) {
        const { status, text } = await shop.post(path, await bodyWith(shop, value));
        assert.ok(status < 500, `${value}: ${text}`);
      }
    });
  }
});
