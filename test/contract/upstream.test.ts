/** `make contract UPSTREAM=…`: the contract proven against a service that runs already, by its API alone. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeApiKey } from '../../domain/merchants/api-key.ts';
import { remoteTarget } from '../../scripts/contract/remote-target.ts';
import { openUpstream } from '../../scripts/contract/upstream.ts';
import { changeMerchant } from '../../services/merchants/change-merchant.ts';
import { runProgram } from '../scripts/support/admin.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { onlyAnswers } from './dredd/only-answers.ts';
import { printProof } from './dredd/print-proof.ts';
import { proveContract } from './dredd/prove-contract.ts';
import { startTamperingProxy, type Tampering } from './dredd/tampering-proxy.ts';

const document = readFileSync(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8');

/**
 * Quick, because the answers themselves are proven by `make contract`. What differs here is how a recipe reaches the
 * service, and every operation has one in the run.
 */
const run = (url: string, env: Readonly<Record<string, string>>) =>
  runProgram(process.execPath, ['scripts/contract.ts', '--quick', '--upstream', url], env);

/** Proves these answers of a service, with what the run says of itself. */
async function prove(url: string, env: Record<string, string>, answers: readonly string[]) {
  const upstream = await openUpstream(url, env);
  return proveContract(onlyAnswers(document, answers), { target: async () => remoteTarget(upstream) });
}

describe('the contract test of a running sandbox', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());
  const env = () => ({ API_KEY: service.merchant.apiKey });

  it('uses its demo merchant, and lists the answers that it cannot request', async () => {
    const { status, stdout, stderr } = await run(service.url, { DATA_DIR: service.dataDir });
    assert.equal(stderr, '');
    assert.equal(status, 0, stdout);
    assert.match(
      stdout,
      /^Testing http:\S+ as Loja Demonstração\. Customers, cards and orders stay there\.$/m,
    );
    const [, passed, skipped] = /\n(\d+) passed, 0 failed, (\d+) skipped\n$/.exec(stdout)!;
    assert.ok(Number(passed) > 120, stdout);
    assert.ok(Number(skipped) > 10, stdout);
    assert.match(stdout, /^NOT ASKED, as it needs an instance of the service .*: .*\bgetMerchant 503\b/m);
    assert.match(stdout, /^NOT ASKED, as it needs a key of .* fewer permissions: .*\blistRecipients 403\b/m);
    assert.match(stdout, /^NOT ASKED, as it needs RESET=yes: .*: .*\bresetSandbox 200\b/m);
    assert.doesNotMatch(stdout, /NOT REACHED|FAILED/);
  });

  it('moves its clock and empties it only on request', async () => {
    const answers = ['advanceClock 200', 'resetSandbox 200'];
    const kept = await prove(service.url, env(), answers);
    assert.deepEqual(kept.notRequested.map(({ name }) => name).sort(), answers);
    const reset = await prove(service.url, { ...env(), RESET: 'yes' }, answers);
    assert.deepEqual([...reset.proven].sort(), answers, printProof(reset));
  });

  it('fails once for each planted fault, not for its consequences', async () => {
    const tamperings: Tampering[] = [
      { of: ['POST', /^\/customers$/, 201], change: ({ body }) => (body.risk = 'low') },
      { of: ['POST', /^\/charges\/orders$/, 201], change: ({ body }) => (body.payment.amount = 'a lot') },
      { of: ['POST', /^\/cards$/, 201], change: ({ headers }) => headers.delete('x-request-id') },
    ];
    await using proxy = await startTamperingProxy(service.url, tamperings);
    const faulty = ['createCustomer 201', 'createCard 201', 'createOrder 201'];
    const others = ['getMerchant 200', 'getCard 200', 'getPayment 200', 'listRefunds 200'];
    const proof = await prove(proxy.url, env(), [...faulty, ...others]);
    const text = printProof(proof);
    assert.deepEqual([...proof.proven].sort(), [...others].sort(), text);
    assert.deepEqual(proof.failures.map(({ name }) => name).sort(), [...faulty].sort(), text);
    assert.deepEqual(proof.notReached, []);
    const reasons: [string, RegExp][] = [
      ['createCustomer 201', /must NOT have additional properties: risk/],
      ['createOrder 201', /\/payment\/amount must be integer/],
      ['createCard 201', /x-request-id/i],
    ];
    for (const [name, reason] of reasons) {
      const failure = proof.failures.find((one) => one.name === name)!;
      assert.match(failure.reasons.join('\n'), reason);
    }
  });
});

describe('a target that cannot be tested is refused before any request that changes it', () => {
  let service: TestService;
  let emptyFolder: string;
  before(async () => {
    emptyFolder = await mkdtemp(join(tmpdir(), 'centavo-upstream-'));
    service = await startTestService({
      env: {
        PAYMENTS_ENV: 'production',
        VAULT_KEYS: randomBytes(32).toString('base64'),
        KEY_PEPPER: randomBytes(32).toString('base64'),
        ACQUIRER_URL: 'http://127.0.0.1:9',
        ACQUIRER_SECRET: randomBytes(32).toString('hex'),
      },
    });
  });
  after(async () => {
    await service?.stop();
    await rm(emptyFolder, { recursive: true });
  });
  const sandboxKey = () => makeApiKey('sandbox', 0, randomBytes);
  const refused = (url: string, env: Record<string, string>, sentence: RegExp) =>
    assert.rejects(openUpstream(url, { DATA_DIR: emptyFolder, ...env }), sentence);

  it('a production key, which is not sent', async () => {
    const sentence = /^Error: API_KEY is a production key\./;
    await refused('http://127.0.0.1:9', { API_KEY: service.merchant.apiKey }, sentence);
  });

  it('a service in production', () =>
    refused(service.url, { API_KEY: sandboxKey() }, /has no sandbox operations: it is in production/));

  it('a service that does not answer', () =>
    refused(
      'http://127.0.0.1:9',
      { API_KEY: sandboxKey() },
      /^Error: http:\/\/127\.0\.0\.1:9 does not answer: /,
    ));

  it('no key, or a malformed one', async () => {
    await refused(service.url, {}, /^Error: Set API_KEY to a sandbox key of http:\S+ with all permissions: /);
    await refused(service.url, { API_KEY: 'pay_test_x' }, /is not a key of this API/);
  });

  it('an unknown key, or a merchant that cannot sell', async () => {
    await using sandbox = await startTestService();
    await refused(
      sandbox.url,
      { API_KEY: sandboxKey() },
      /does not accept the key: .* was answered with 401\.$/,
    );
    const { apiKey: API_KEY, merchant } = sandbox.merchant;
    await changeMerchant(sandbox.deps, merchant.merchantId, { rateLimitPerMinute: 60 });
    await refused(sandbox.url, { API_KEY }, /cannot be used: it may make 60 requests a minute, and 1000 are/);
  });

  it('an address that is not the root of a service', async () => {
    for (const url of ['127.0.0.1:3000', 'http://127.0.0.1/api/v1', 'ftp://a', 'http://user:word@a']) {
      const { status, stdout, stderr } = await run(url, { API_KEY: sandboxKey() });
      assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
      assert.match(stderr, /^The upstream must be the root of a service such as \S+, not \S+\.\n$/);
    }
  });
});
