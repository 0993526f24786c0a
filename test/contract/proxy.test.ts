/**
 * The service behind Prism as a proxy, which puts a 500 in place of an answer that is not in the contract: a second
 * check in addition to our own, by another implementation of the contract. `make contract` proves that each operation
 * gives its refusals; here each distinct response is enough, because Prism validates those of all operations alike.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { startPrism } from '../../scripts/mock/prism.ts';
import { encryptCard, VISA } from '../support/cards/cards.ts';
import { newEmail } from '../support/orders/parties.ts';
import { type Json, startTestService, type TestService } from '../support/service.ts';
import { eachResponseOnce } from './dredd/each-response-once.ts';
import { printProof } from './dredd/print-proof.ts';
import { proveContract } from './dredd/prove-contract.ts';
import { recipes } from './dredd/recipes/index.ts';
import { startTamperingProxy, type Tampering } from './dredd/tampering-proxy.ts';
import { tellStory } from './prism/story.ts';

const document = readFileSync(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8');

/** Answers with an own schema in some operations. The others have the same one everywhere. */
const isAsked = (status: string) => /^20[014]$|^40[14]$|^422$/.test(status);

describe('the service behind a validating proxy', () => {
  it('returns every distinct response without a violation', async () => {
    await using proxies = new AsyncDisposableStack();
    const violations: string[] = [];
    const onLine = (line: string) => {
      if (/violation/i.test(line)) violations.push(line);
    };
    const through = async (upstream: string) => {
      const proxy = proxies.use(await startPrism({ document, port: 0, upstream, onLine }));
      return proxy.url;
    };
    const proof = await proveContract(eachResponseOnce(document, isAsked), { through });
    assert.deepEqual(proof.failures, [], printProof(proof));
    assert.deepEqual(violations, []);
    const operations = new Set(proof.proven.map((name) => name.split(' ')[0]));
    assert.equal(operations.size, Object.keys(recipes).length);
  });
});

describe('a validating proxy', () => {
  /** What is done to answers on their way to the proxy. */
  const tamperings: Tampering[] = [];
  const running = new AsyncDisposableStack();
  let service: TestService;
  let proxyUrl: string;
  before(async () => {
    service = running.use(await startTestService());
    const { url: upstream } = running.use(await startTamperingProxy(service.url, tamperings));
    proxyUrl = running.use(await startPrism({ document, port: 0, upstream })).url;
  });
  after(() => running.disposeAsync());
  afterEach(() => {
    tamperings.length = 0;
  });

  it('accepts the requests of a client’s flow', async () => {
    const { apiKey, encryptionKey } = service.merchant;
    await tellStory({ url: proxyUrl, apiKey, encryptedCard: encryptCard(VISA, encryptionKey) });
  });

  it('accepts any keys where the contract allows them', async () => {
    const metadata = { campaign: 'black-friday', 'any key': '7' };
    const answer = await fetch(`${proxyUrl}/api/v1/customers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.merchant.apiKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Ana Souza', email: newEmail(), metadata }),
    });
    assert.equal(answer.status, 201);
    assert.deepEqual(((await answer.json()) as Json).metadata, metadata);
  });

  const wrong: [string, Tampering['change'], RegExp][] = [
    ['a field of another type', ({ body }) => (body.name = 7), /name.*string/],
    ['a field that the contract does not have', ({ body }) => (body.risk = 'low'), /additional.*risk/],
    ['a field left out', ({ body }) => delete body.status, /status/],
    ['a success that is not documented', (answer) => (answer.status = 203), /status code/],
    ['a header left out', ({ headers }) => headers.delete('x-request-id'), /x-request-id/i],
  ];
  for (const [what, change, reason] of wrong) {
    it(`reports ${what}`, async () => {
      tamperings.push({ of: ['GET', /^\/merchant$/, 200], change });
      const answer = await fetch(`${proxyUrl}/api/v1/merchant`, {
        headers: { authorization: `Bearer ${service.merchant.apiKey}` },
      });
      const text = await answer.text();
      assert.equal(answer.status, 500, text);
      assert.match(text, /VIOLATIONS/);
      assert.match(text, reason);
    });
  }
});
