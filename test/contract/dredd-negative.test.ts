/**
 * The proof of the contract must be able to fail: a service whose answers are changed on their way to Dredd, each in
 * one thing, and a contract that promises what nobody keeps.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { printProof } from './dredd/print-proof.ts';
import { type Failure, type Proof, proveContract } from './dredd/prove-contract.ts';
import { startTamperingProxy, type Tampering } from './dredd/tampering-proxy.ts';

interface Control {
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
    name: 'getCustomer 404',
    tampering: {
      of: ['GET', ONE_CUSTOMER, 404],
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

const CONTROLS = [...BODIES, ...HEADERS, ...STATUSES];
/** Answers that go through untouched in both runs. */
const UNTOUCHED = ['getCustomer 401', 'getCustomer 403'];

const document = readFileSync(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8');
const names = [...CONTROLS.map(({ name }) => name), ...UNTOUCHED];

describe('a service that answers as documented', () => {
  it('is proven', async () => {
    const { proof } = await prove(onlyAnswers(names), []);
    assert.deepEqual(proof.failures, []);
    assert.deepEqual([...proof.proven].sort(), [...names].sort());
    assert.match(printProof(proof), new RegExp(`\n${names.length} passed, 0 failed$`));
  });
});

describe('a service that answers otherwise', () => {
  let proof: Proof;
  let changed: number;
  before(async () => {
    ({ proof, changed } = await prove(
      onlyAnswers(names),
      CONTROLS.map(({ tampering }) => tampering),
    ));
  });

  it('fails once for each answer that was changed, and for no other', () => {
    assert.equal(changed, CONTROLS.length);
    assert.deepEqual([...proof.proven].sort(), [...UNTOUCHED].sort());
    assert.match(printProof(proof), new RegExp(`\n${UNTOUCHED.length} passed, ${CONTROLS.length} failed$`));
  });

  for (const { what, name, reason } of CONTROLS) {
    it(`fails by ${what} (${name})`, () => {
      assert.match(failureOf(proof, name).reasons.join('\n'), reason);
    });
  }
});

describe('a contract that promises more than anyone keeps', () => {
  let proof: Proof;
  before(async () => {
    const promising = JSON.parse(onlyAnswers(['getMerchant 200', 'getMerchant 403', 'getMerchant 503']));
    const { responses } = promising.paths['/merchant'].get;
    const refusal = promising.components.responses.AccountForbidden;
    promising.paths['/merchant'].get.responses = { ...responses, 402: refusal, '4XX': refusal };
    ({ proof } = await prove(JSON.stringify(promising), []));
  });

  it('is proven where it is kept', () => {
    assert.deepEqual([...proof.proven].sort(), ['getMerchant 200', 'getMerchant 403', 'getMerchant 503']);
    assert.equal(proof.failures.length, 2, printProof(proof));
  });

  it('fails by an answer without a recipe', () => {
    const { reasons } = failureOf(proof, 'getMerchant 402');
    assert.match(reasons.join(), /No recipe brings about getMerchant 402/);
  });

  it('fails by an answer that Dredd leaves out', () => {
    assert.match(failureOf(proof, 'getMerchant 4XX').reasons.join(), /made no transaction/);
  });
});

async function prove(text: string, tamperings: readonly Tampering[]) {
  await using proxies = new AsyncDisposableStack();
  let changed = () => 0;
  const proof = await proveContract(text, async (serviceUrl) => {
    const proxy = proxies.use(await startTamperingProxy(serviceUrl, tamperings));
    changed = proxy.changed;
    return proxy.url;
  });
  return { proof, changed: changed() };
}

function failureOf(proof: Proof, name: string): Failure {
  const failure = proof.failures.find((candidate) => candidate.name === name);
  assert.ok(failure, `${name} did not fail`);
  return failure;
}

/** The contract with these answers alone, as the whole of it would take long. */
function onlyAnswers(kept: readonly string[]): string {
  const smaller = JSON.parse(document);
  delete smaller.webhooks;
  for (const [path, item] of Object.entries<Record<string, Operation>>(smaller.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(item)) {
      for (const status of Object.keys(responses)) {
        if (!kept.includes(`${operationId} ${status}`)) delete responses[status];
      }
      if (Object.keys(responses).length === 0) delete item[method];
    }
    if (Object.keys(item).length === 0) delete smaller.paths[path];
  }
  return JSON.stringify(smaller);
}

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, unknown>;
}
