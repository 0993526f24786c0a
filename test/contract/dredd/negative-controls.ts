import type { Tampering } from './tampering-proxy.ts';

/** A fault in an answer, and the failure that it must cause. */
export interface Control {
  readonly what: string;
  readonly name: string;
  readonly tampering: Tampering;
  readonly reason: RegExp;
}

const ONE_CUSTOMER = /^\/customers\/[^/]+$/;

const BODIES: readonly Control[] = [
  {
    what: 'a value of another type',
    name: 'createCustomer 201',
    tampering: { of: ['POST', /^\/customers$/, 201], change: ({ body }) => (body.name = 42) },
    reason: /\/name must be string/,
  },
  {
    what: 'a field that the contract does not have',
    name: 'getMerchant 200',
    tampering: { of: ['GET', /^\/merchant$/, 200], change: ({ body }) => (body.risk = 'low') },
    reason: /must NOT have additional properties: risk/,
  },
  {
    what: 'the same deep inside',
    name: 'createOrder 201',
    tampering: {
      of: ['POST', /^\/charges\/orders$/, 201],
      change: ({ body }) => (body.payment.credit_card.bank = 'Banco'),
    },
    reason: /\/payment\/credit_card must NOT have additional properties: bank/,
  },
  {
    what: 'the same in a refusal',
    name: 'getClock 403',
    tampering: {
      of: ['GET', /^\/sandbox\/clock$/, 403],
      change: ({ body }) => (body.error.hint = 'Ask for the permission.'),
    },
    reason: /\/error must NOT have additional properties: hint/,
  },
  {
    what: 'a key that is missing',
    name: 'getCustomer 200',
    tampering: { of: ['GET', ONE_CUSTOMER, 200], change: ({ body }) => delete body.hash },
    reason: /'\/hash' Missing required property/,
  },
  {
    what: 'a null where none may be',
    name: 'listCustomers 200',
    tampering: { of: ['GET', /^\/customers$/, 200], change: ({ body }) => (body.data[0].email = null) },
    reason: /\/data\/0\/email must be string/,
  },
  {
    what: 'a value out of its bounds, deep inside',
    name: 'updateCustomer 200',
    tampering: {
      of: ['PUT', ONE_CUSTOMER, 200],
      change: ({ body }) => (body.created_at = '2026-11-21T14:20:03Z'),
    },
    reason: /\/created_at must match pattern/,
  },
  {
    what: 'a refusal for another reason',
    name: 'createCustomer 401',
    tampering: { of: ['POST', /^\/customers$/, 401], change: ({ body }) => (body.error.code = 'forbidden') },
    reason: /another code/,
  },
  {
    what: 'a list that shows nothing',
    name: 'listCustomerCards 200',
    tampering: { of: ['GET', /\/cards$/, 200], change: ({ body }) => (body.data = []) },
    reason: /list is empty/,
  },
];

const HEADERS: readonly Control[] = [
  {
    what: 'a 401 without WWW-Authenticate',
    name: 'listCustomers 401',
    tampering: {
      of: ['GET', /^\/customers$/, 401],
      change: ({ headers }) => headers.delete('www-authenticate'),
    },
    reason: /www-authenticate/i,
  },
  {
    what: 'an answer without X-Request-Id',
    name: 'getCustomer 422',
    tampering: {
      of: ['GET', ONE_CUSTOMER, 422],
      change: ({ headers }) => headers.delete('x-request-id'),
    },
    reason: /x-request-id/i,
  },
  {
    what: 'a limit that is no number',
    name: 'getCustomer 400',
    tampering: {
      of: ['GET', ONE_CUSTOMER, 400],
      change: ({ headers }) => headers.set('ratelimit-limit', 'many'),
    },
    reason: /RateLimit-Limit: many/,
  },
  {
    what: 'another content type',
    name: 'listCustomers 422',
    tampering: {
      of: ['GET', /^\/customers$/, 422],
      change: ({ headers }) => headers.set('content-type', 'text/html'),
    },
    reason: /content-type/i,
  },
];

const STATUSES: readonly Control[] = [
  {
    what: 'another status with the right body',
    name: 'createCustomer 422',
    tampering: { of: ['POST', /^\/customers$/, 422], change: (answer) => (answer.status = 400) },
    reason: /Expected status code '422', but got '400'/,
  },
];

export const CONTROLS: readonly Control[] = [...BODIES, ...HEADERS, ...STATUSES];
