/**
 * The baseline of the bench: the measured operations of Centavo, written by hand on fastify and pg, for speed only. It
 * does the same key look-up, the same validation (the contract's schemas, compiled by the same Ajv), and the same call
 * to the acquirer. It writes the same rows in the same transactions, each by its own statement, seals with the same
 * vault, gives the same answers, and logs one line for each request. It has no idempotency, rate limits, metrics,
 * shedding, recovery points or error shapes, and no other operation.
 *
 * Environment: DATABASE_URL, KEY_PEPPER, VAULT_KEYS, ACQUIRER_URL, ACQUIRER_SECRET. Prints its address.
 */
import fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase } from '../../../db/engine/database.ts';
import { httpAcquirer } from '../../../gateway/http-acquirer.ts';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { contractAjv } from '../../../handlers/http/validation.ts';
import { keyedHash } from '../../../services/vault/keyed-hash.ts';
import { openVault } from '../../../services/vault/vault.ts';
import { type Caller, findCaller } from './caller.ts';
import { placeCardOrder } from './card-orders.ts';
import { createCustomer, getCustomer } from './customers.ts';
import { type OrderBody, placeOrder } from './orders.ts';
import { listPayments } from './payments.ts';

const { DATABASE_URL, KEY_PEPPER, VAULT_KEYS, ACQUIRER_URL, ACQUIRER_SECRET } = process.env as Record<
  string,
  string
>;
/** The service's own default. */
const CONNECTIONS = 13;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
const pool = new pg.Pool({ connectionString: DATABASE_URL!, max: CONNECTIONS });
const hash = keyedHash(KEY_PEPPER!);
const acquirer = httpAcquirer({ url: ACQUIRER_URL!, secret: ACQUIRER_SECRET! });
// The keys of the vault are read once; nothing else of the service's way to the database is used.
const vault = await openVault(openDatabase({ url: DATABASE_URL! }), [Buffer.from(VAULT_KEYS!, 'base64')]);
const log = pino(pino.destination({ dest: 2, sync: false }));

const { components } = loadContract().document as unknown as { components: { schemas: object } };
const app = fastify({ logger: false });
app.setValidatorCompiler(({ schema, httpPart }) => {
  const ajv = contractAjv(httpPart !== 'body');
  return ajv.compile({ ...(schema as object), components }) as never;
});

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

app.addHook('onRequest', async (request, reply) => {
  const caller = await findCaller(pool, hash, request.headers.authorization);
  if (caller === undefined) return reply.code(401).send({ message: 'Unauthenticated.' });
  request.caller = caller;
});
app.addHook('onResponse', async (request, reply) => {
  log.info(
    {
      request_id: request.id,
      method: request.method,
      operation: request.routeOptions.url,
      merchant_id: request.caller?.merchant_id,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  );
});

const body = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const PAGE_QUERY = {
  type: 'object',
  properties: {
    per_page: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    cursor: { type: 'string', minLength: 1, maxLength: 512 },
  },
  additionalProperties: false,
};

app.get('/api/v1/customers/:id', (request: FastifyRequest<{ Params: { id: string } }>) =>
  getCustomer(pool, request.caller, request.params.id),
);
app.post('/api/v1/customers', { schema: { body: body('CustomerCreate') } }, async (request, reply) => {
  reply.code(201);
  return createCustomer(pool, request.caller, request.body as never);
});
app.get(
  '/api/v1/payments',
  { schema: { querystring: PAGE_QUERY } },
  (request: FastifyRequest<{ Querystring: { per_page: number; cursor?: string } }>) =>
    listPayments(pool, request.caller, request.query),
);
app.post('/api/v1/charges/orders', { schema: { body: body('OrderCreate') } }, async (request, reply) => {
  reply.code(201);
  const body = request.body as OrderBody;
  if (body.payment.payment_method === 'pix') return placeOrder(pool, acquirer, request.caller, body);
  return placeCardOrder(pool, vault, acquirer, request.caller, body);
});

const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`  API    ${url}/api/v1\n`);
process.on('SIGTERM', () => process.exit(0));
