/**
 * Negative controls of the contract test: it must fail when answers are changed on their way to Dredd, and when the
 * contract documents answers that the service does not give.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CONTROLS } from './dredd/negative-controls.ts';
import { onlyAnswers } from './dredd/only-answers.ts';
import { printProof } from './dredd/print-proof.ts';
import { type Failure, type Proof, proveContract } from './dredd/prove-contract.ts';
import { startTamperingProxy, type Tampering } from './dredd/tampering-proxy.ts';
import { type ServiceUnderTest, startServiceUnderTest, startTarget } from './dredd/target.ts';

/** Answers that no run changes. */
const UNTOUCHED = ['getCustomer 401', 'getCustomer 403'];

const document = readFileSync(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8');
const names = [...CONTROLS.map(({ name }) => name), ...UNTOUCHED];

/** All runs share it, each with merchants of its own. */
let underTest: ServiceUnderTest;
before(async () => {
  underTest = await startServiceUnderTest();
});
after(() => underTest?.[Symbol.asyncDispose]());

describe('a service that answers as documented', () => {
  it('passes', async () => {
    const { proof } = await prove(onlyAnswers(document, names), []);
    assert.deepEqual(proof.failures, []);
    assert.deepEqual([...proof.proven].sort(), [...names].sort());
    assert.match(printProof(proof), new RegExp(`\n${names.length} passed, 0 failed$`));
  });
});

describe('a service whose answers are changed', () => {
  let proof: Proof;
  let changed: number;
  before(async () => {
    ({ proof, changed } = await prove(
      onlyAnswers(document, names),
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

describe('one fault in the service', () => {
  const faults: [string, Tampering['change'], RegExp][] = [
    ['a field that the contract does not have', ({ body }) => (body.risk = 'low'), /: risk/],
    ['a value of another type', ({ body }) => (body.name = 42), /\/name must be string/],
    ['a header that is missing', ({ headers }) => headers.delete('x-request-id'), /x-request-id/i],
  ];
  const dependent = ['createCustomer 422', 'getCustomer 200', 'listCustomers 200', 'createOrder 201'];
  for (const [what, change, reason] of faults) {
    it(`fails once, and answers that depend on it are still tested: ${what}`, async () => {
      const tampering: Tampering = { of: ['POST', /^\/customers$/, 201], change };
      const proof = await proveEverythingThrough(['createCustomer 201', ...dependent], [tampering]);
      assert.deepEqual(
        proof.failures.map(({ name }) => name),
        ['createCustomer 201'],
        printProof(proof),
      );
      assert.match(failureOf(proof, 'createCustomer 201').reasons.join('\n'), reason);
      assert.deepEqual([...proof.proven].sort(), [...dependent].sort());
      assert.match(printProof(proof), /^FAILED createCustomer 201\n.*\n4 passed, 1 failed$/s);
    });
  }

  const refuse: Tampering = {
    of: ['POST', /^\/customers$/, 201],
    change: (answer) => {
      answer.status = 400;
      answer.body = { error: { code: 'invalid_json', message: 'The body is not JSON.' } };
    },
  };

  it('is named as the cause of all answers that are not reached', async () => {
    const names = ['getMerchant 200', ...dependent, 'createCustomer 201', 'createCustomer 409'];
    const proof = await proveEverythingThrough(names, [refuse]);
    assert.deepEqual(proof.proven, ['getMerchant 200'], printProof(proof));
    assert.deepEqual(
      proof.failures.map(({ name }) => name),
      ['createCustomer 201'],
      printProof(proof),
    );
    const [first, ...rest] = printProof(proof).split('\nNOT REACHED because of createCustomer 201: ');
    assert.match(first!, /^FAILED createCustomer 201\n/);
    const notReached = [...dependent, 'createCustomer 409'];
    assert.deepEqual(rest.join().split('\n')[0]!.split(', ').sort(), notReached.sort());
    assert.match(rest.join(), /\n1 passed, 1 failed, 5 skipped$/);
  });

  it('is named by its operation when its answer is not under test', async () => {
    const proof = await proveEverythingThrough(['createOrder 201'], [refuse]);
    const { reasons } = failureOf(proof, 'createCustomer');
    assert.match(reasons.join('\n'), /^To prepare createOrder 201, POST \/customers answered 400 /);
    assert.deepEqual(proof.notReached, [{ name: 'createOrder 201', because: 'createCustomer' }]);
  });
});

describe('a contract with answers that the service does not give', () => {
  let proof: Proof;
  before(async () => {
    const promising = JSON.parse(
      onlyAnswers(document, ['getMerchant 200', 'getMerchant 403', 'getMerchant 503']),
    );
    const { responses } = promising.paths['/merchant'].get;
    const refusal = promising.components.responses.AccountForbidden;
    promising.paths['/merchant'].get.responses = { ...responses, 402: refusal, '4XX': refusal };
    ({ proof } = await prove(JSON.stringify(promising), []));
  });

  it('passes for the other answers', () => {
    assert.deepEqual([...proof.proven].sort(), ['getMerchant 200', 'getMerchant 403', 'getMerchant 503']);
    assert.equal(proof.failures.length, 2, printProof(proof));
  });

  it('fails for an answer without a recipe', () => {
    const { reasons } = failureOf(proof, 'getMerchant 402');
    assert.match(reasons.join(), /No recipe brings about getMerchant 402/);
  });

  it('fails for an answer that Dredd leaves out', () => {
    assert.match(failureOf(proof, 'getMerchant 4XX').reasons.join(), /made no transaction/);
  });
});

async function prove(text: string, tamperings: readonly Tampering[]) {
  await using proxies = new AsyncDisposableStack();
  let changed = () => 0;
  const through = async (serviceUrl: string) => {
    const proxy = proxies.use(await startTamperingProxy(serviceUrl, tamperings));
    changed = proxy.changed;
    return proxy.url;
  };
  const proof = await proveContract(text, { target: () => startTarget({ underTest }), through });
  return { proof, changed: changed() };
}

/** The same, but answers to requests that prepare others are changed, too. */
async function proveEverythingThrough(
  kept: readonly string[],
  tamperings: readonly Tampering[],
): Promise<Proof> {
  await using proxies = new AsyncDisposableStack();
  const through = async (serviceUrl: string) =>
    proxies.use(await startTamperingProxy(serviceUrl, tamperings)).url;
  const target = () => startTarget({ underTest, through });
  return await proveContract(onlyAnswers(document, kept), { target });
}

function failureOf(proof: Proof, name: string): Failure {
  const failure = proof.failures.find((candidate) => candidate.name === name);
  assert.ok(failure, `${name} did not fail`);
  return failure;
}
