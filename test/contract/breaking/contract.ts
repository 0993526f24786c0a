import type { Json } from '../../support/service.ts';

/** A contract of one operation of each sort, small enough to see what is planted in it. */
export function smallContract(): Json {
  return structuredClone({
    openapi: '3.1.0',
    servers: [{ url: '/api/v1', description: 'Here.' }],
    security: [{ ApiKey: [] }],
    paths: {
      '/orders': {
        get: {
          operationId: 'listOrders',
          tags: ['orders'],
          parameters: [
            { name: 'status', in: 'query', schema: { $ref: '#/components/schemas/Status' } },
            { name: 'X-Store', in: 'header', required: true, schema: { type: 'string', maxLength: 8 } },
          ],
          responses: {
            200: {
              headers: { 'X-Request-Id': { required: true, schema: { type: 'string' } } },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/OrderPage' } } },
            },
            422: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } },
          },
        },
        post: {
          operationId: 'createOrder',
          tags: ['orders'],
          'x-permission': 'orders:write',
          requestBody: {
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/OrderCreate' } },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          responses: { 204: {} },
        },
      },
    },
    'x-event-sequences': {
      pix_paid: {
        title: 'An order is paid',
        topic: 'pix',
        steps: [
          {
            title: 'The buyer pays',
            operation: 'createOrder',
            events: [
              { event: 'order.created', status: 'open', required: true },
              { event: 'order.late', status: 'open', required: false, when: 'the buyer is late' },
              { event: 'order.paid', status: 'paid', required: true },
            ],
          },
        ],
      },
    },
    webhooks: {
      'order.paid': {
        post: {
          parameters: [
            { name: 'X-Signature', in: 'header', required: true, schema: { type: 'string', maxLength: 64 } },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
      },
    },
    components: {
      securitySchemes: {
        ApiKey: { type: 'http', scheme: 'bearer' },
        Shop: { type: 'apiKey', in: 'header', name: 'X-Shop' },
      },
      schemas: {
        Status: { type: 'string', enum: ['open', 'paid', 'lost'] },
        OrderCreate: {
          type: 'object',
          properties: {
            code: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[a-z]+$' },
            amount: { type: 'integer', minimum: 1, maximum: 1000 },
            note: { type: ['string', 'null'] },
            capture: { type: 'boolean', default: true },
            tags: { type: 'array', maxItems: 5, items: { type: 'string' } },
            buyer: { anyOf: [{ $ref: '#/components/schemas/Buyer' }, { type: 'null' }] },
          },
          required: ['code'],
          additionalProperties: false,
          if: { required: ['note'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { required: ['amount'] },
        },
        Buyer: { type: 'object', properties: { name: { type: 'string' } } },
        Order: {
          type: 'object',
          properties: {
            id: { type: 'string', format: 'uuid' },
            status: { $ref: '#/components/schemas/Status' },
            total: { type: 'integer', maximum: 1000 },
            parent: { anyOf: [{ $ref: '#/components/schemas/Order' }, { type: 'null' }] },
          },
          required: ['id', 'status'],
        },
        OrderPage: {
          type: 'object',
          properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
          required: ['data'],
        },
        Refusal: {
          oneOf: [
            { type: 'object', required: ['message'] },
            { type: 'object', required: ['error'] },
          ],
        },
      },
    },
  });
}
