import type { Json } from '../../support/service.ts';
import { at, type Planted } from './planted-change.ts';

const orders = (contract: Json) => contract.paths['/orders'];
const sequenceEvents = (contract: Json) => contract['x-event-sequences'].pix_paid.steps[0].events;

/** What can break around a schema. */
export const OPERATIONS: readonly Planted[] = [
  at(
    'operation-removed',
    'createOrder',
    (c) => delete orders(c).post,
    (c) => (c.paths['/refunds'] = { post: orders(c).post }),
  ),
  at(
    'operation-removed',
    'listOrders',
    (c) => {
      c.paths['/charges'] = { get: orders(c).get };
      delete orders(c).get;
    },
    (c) => (orders(c).get.summary = 'List them'),
  ),
  at(
    'operation-renamed',
    'listOrders',
    (c) => (orders(c).get.operationId = 'findOrders'),
    (c) => (orders(c).get.description = 'findOrders'),
  ),
  at(
    'tag-changed',
    'listOrders tag',
    (c) => (orders(c).get.tags = ['sales', 'orders']),
    (c) => (orders(c).get.tags = ['orders', 'sales']),
  ),
  at(
    'webhook-removed',
    'order.paid',
    (c) => delete c.webhooks['order.paid'],
    (c) => (c.webhooks['order.lost'] = c.webhooks['order.paid']),
  ),
  at(
    'sequence-changed',
    'pix_paid',
    (c) => delete c['x-event-sequences'].pix_paid,
    (c) => (c['x-event-sequences'].pix_lost = c['x-event-sequences'].pix_paid),
  ),
  at(
    'sequence-changed',
    'pix_paid',
    (c) => (sequenceEvents(c)[2].required = false),
    (c) => (sequenceEvents(c)[1].required = true),
  ),
  at(
    'sequence-changed',
    'pix_paid',
    (c) => sequenceEvents(c).reverse(),
    (c) => sequenceEvents(c).splice(1, 1),
  ),
  at(
    'sequence-changed',
    'pix_paid',
    (c) => (sequenceEvents(c)[2].status = 'open'),
    (c) => sequenceEvents(c).push({ event: 'order.sent', status: 'paid', required: true }),
  ),
  at(
    'security-changed',
    'listOrders',
    (c) => (orders(c).get.security = [{ OAuth: [] }]),
    (c) => (orders(c).get.security = c.security),
  ),
  at(
    'security-changed',
    'createOrder',
    (c) => (orders(c).post.security = [{ ApiKey: [], Shop: [] }]),
    (c) => (orders(c).post.security = [{ Shop: [] }, { ApiKey: [] }]),
  ),
  at(
    'security-changed',
    'security',
    (c) => (c.security = [{ Shop: [] }]),
    (c) => c.security.push({ Shop: [] }),
  ),
  at(
    'security-changed',
    'ApiKey',
    (c) => (c.components.securitySchemes.ApiKey.scheme = 'basic'),
    (c) => (c.components.securitySchemes.ApiKey.bearerFormat = 'basic'),
  ),
  at(
    'security-changed',
    'createOrder',
    (c) => (orders(c).post['x-permission'] = 'sales:write'),
    (c) => (orders(c).post['x-permission'] = 'orders:read'),
  ),
  at(
    'server-removed',
    '/api/v1',
    (c) => (c.servers[0].url = '/api/v2'),
    (c) => c.servers.unshift({ url: '/api/v2' }),
  ),
  at(
    'server-removed',
    'createOrder /api/v1',
    (c) => (orders(c).post.servers = [{ url: '/orders/v1' }]),
    (c) => (orders(c).post.servers = [{ url: '/orders/v1' }, { url: '/api/v1' }]),
  ),
  at(
    'parameter-changed',
    'listOrders query status',
    (c) => (orders(c).get.parameters[0].explode = false),
    (c) => (orders(c).get.parameters[0].explode = true),
  ),
  at(
    'parameter-changed',
    'listOrders header X-Store',
    (c) => (orders(c).get.parameters[1].content = { 'application/json': { schema: { type: 'string' } } }),
    (c) => (orders(c).get.parameters[1].style = 'simple'),
  ),
  at(
    'parameter-removed',
    'listOrders query status',
    (c) => orders(c).get.parameters.shift(),
    (c) => orders(c).get.parameters.reverse(),
  ),
  at(
    'parameter-removed',
    'listOrders query status',
    (c) => (orders(c).get.parameters[0].in = 'header'),
    (c) => (orders(c).get.parameters[0].description = 'Status'),
  ),
  at(
    'parameter-required',
    'listOrders header X-New',
    (c) => orders(c).get.parameters.push({ name: 'X-New', in: 'header', required: true }),
    (c) => orders(c).get.parameters.push({ name: 'X-New', in: 'header' }),
  ),
  at(
    'parameter-required',
    'listOrders query status',
    (c) => (orders(c).get.parameters[0].required = true),
    (c) => (orders(c).get.parameters[1].required = false),
  ),
  at(
    'bound-tightened',
    'listOrders header X-Store',
    (c) => (orders(c).get.parameters[1].schema.maxLength = 7),
    (c) => (orders(c).get.parameters[1].schema.maxLength = 9),
  ),
  at(
    'body-required',
    'createOrder body',
    (c) => (orders(c).post.requestBody.required = true),
    (c) => (orders(c).post.requestBody.required = false),
  ),
  at(
    'body-removed',
    'createOrder body',
    (c) => delete orders(c).post.requestBody,
    (c) => (orders(c).get.requestBody = orders(c).post.requestBody),
  ),
  at(
    'media-type-removed',
    'createOrder body text/csv',
    (c) => delete orders(c).post.requestBody.content['text/csv'],
    (c) => (orders(c).post.requestBody.content['text/plain'] = {}),
  ),
  at(
    'media-type-removed',
    'listOrders 200 application/json',
    (c) => (orders(c).get.responses[200].content = {}),
    (c) => (orders(c).get.responses[200].content['text/csv'] = {}),
  ),
  at(
    'answer-removed',
    'listOrders 422',
    (c) => delete orders(c).get.responses[422],
    (c) => (orders(c).get.responses[429] = {}),
  ),
  at(
    'answer-header-removed',
    'listOrders 200 X-Request-Id',
    (c) => delete orders(c).get.responses[200].headers['X-Request-Id'],
    (c) => (orders(c).get.responses[200].headers['X-Other'] = { schema: { type: 'string' } }),
  ),
  at(
    'answer-header-removed',
    'listOrders 200 X-Request-Id',
    (c) => (orders(c).get.responses[200].headers['X-Request-Id'].required = false),
    (c) => (orders(c).get.responses[200].headers['X-Request-Id'].description = 'Id'),
  ),
];
