import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import type { Outgoing, OutgoingCall, OutgoingResult } from '../../../services/webhooks/outgoing.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import {
  domainOf,
  validateSession,
  validationUrl,
  verifiedDomain,
} from '../../support/wallet/wallet-shop.ts';

const PATH = '/mobile-wallet/validate-session';
const DOMAIN = 'loja.wallet.test';
const FAILED = 'The wallet session validation failed: ';

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({
    jobs: false,
    env: { TRUSTED_PROXIES: '127.0.0.1', WALLET_PROVIDER_HOSTS: 'wallet.example' },
  });
  shop = await Shop.open(service);
  await verifiedDomain(shop);
});
after(() => service.stop());

let addresses = 0;
/** From an address that has made no request yet. */
function validate(body: object) {
  addresses += 1;
  return validateSession(service, body, { 'X-Forwarded-For': `198.51.100.${addresses}` });
}

describe('a wallet session', () => {
  it('is what the provider signed for the domain', async () => {
    const { status, body } = await validate({
      validationURL: await validationUrl(shop),
      domainName: DOMAIN,
    });
    assert.equal(status, 200);
    const { sessionData } = body;
    assert.equal(sessionData.domainName, DOMAIN);
    assert.equal(sessionData.displayName, shop.onboarded.merchant.name);
    assert.equal(sessionData.expiresAt - sessionData.epochTimestamp, 5 * 60_000);
    assert.match(sessionData.signature, /^30[0-9a-f]+$/);
  });

  it('is another one for each validationURL, on one connection', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      const { body } = await validate({ validationURL: await validationUrl(shop), domainName: DOMAIN });
      nonces.add(body.sessionData.merchantSessionIdentifier);
    }
    assert.equal(nonces.size, 3);
  });

  it('has at most 64 characters of the name of the account', async () => {
    const owner = await Shop.open(service, { name: `${'Padaria '.repeat(7)}Norte🥖🥖 Sul` });
    const domainName = domainOf(owner);
    await verifiedDomain(owner, domainName);
    const { status, body } = await validate({
      validationURL: await validationUrl(owner, domainName),
      domainName,
    });
    assert.equal(status, 200);
    assert.equal(body.sessionData.displayName, `${'Padaria '.repeat(7)}Norte🥖`);
  });

  it('is given for a domain in capital letters', async () => {
    const validationURL = await validationUrl(shop);
    assert.equal((await validate({ validationURL, domainName: 'Loja.Wallet.Test' })).status, 200);
  });
});

describe('400', () => {
  async function fails(body: object, why: string): Promise<void> {
    const { status, body: answer } = await validate(body);
    assert.deepEqual([status, answer], [400, { message: FAILED + why }]);
  }
  const NOT_GIVEN = 'the wallet provider gave no session. The validationURL may have expired.';
  const NOT_VERIFIED = 'the domain is not registered and verified.';

  it('names each missing field', async () => {
    const { status, body } = await validate({});
    const required = ['This field is required.'];
    assert.deepEqual(
      [status, body],
      [
        400,
        {
          message: 'The given data was invalid.',
          errors: { validationURL: required, domainName: required },
        },
      ],
    );
  });

  it('for a validationURL that was used', async () => {
    const body = { validationURL: await validationUrl(shop), domainName: DOMAIN };
    assert.equal((await validate(body)).status, 200);
    await fails(body, NOT_GIVEN);
  });

  it('for a validationURL that is used after its 5 minutes', async () => {
    const age = (validationURL: string, seconds: number) =>
      service.rows(
        `update simulator.wallet_sessions set expires_at = expires_at - make_interval(secs => :seconds)
          where id = :id returning id`,
        { id: validationURL.slice(validationURL.lastIndexOf('/') + 1), seconds },
      );
    const fresh = await validationUrl(shop);
    assert.equal((await age(fresh, 4 * 60)).length, 1);
    assert.equal((await validate({ validationURL: fresh, domainName: DOMAIN })).status, 200);
    const old = await validationUrl(shop);
    await age(old, 5 * 60);
    await fails({ validationURL: old, domainName: DOMAIN }, NOT_GIVEN);
  });

  it('for a validationURL of another domain', async () => {
    await verifiedDomain(shop, 'outra.wallet.test');
    await fails(
      { validationURL: await validationUrl(shop, 'outra.wallet.test'), domainName: DOMAIN },
      NOT_GIVEN,
    );
  });

  it('for a domain that is not registered, or not verified', async () => {
    const validationURL = await validationUrl(shop);
    await fails({ validationURL, domainName: 'nova.wallet.test' }, NOT_VERIFIED);
    await shop.post('/mobile-wallet/domains', { domain_name: 'nova.wallet.test' });
    await fails({ validationURL, domainName: 'nova.wallet.test' }, NOT_VERIFIED);
  });

  for (const change of [{ status: 'suspended' }, { paymentMethods: ['pix'] }] as const) {
    it(`for an account with ${JSON.stringify(change)}`, async () => {
      const other = await Shop.open(service);
      const domainName = `${Object.keys(change)[0]!.toLowerCase()}.wallet.test`;
      await verifiedDomain(other, domainName);
      const validationURL = await validationUrl(other, domainName);
      await changeMerchant(service.deps, other.account, change);
      const why = 'this account does not accept wallet payments at the moment.';
      await fails({ validationURL, domainName }, why);
    });
  }

  it('for an address that is not a wallet provider', async () => {
    const why = 'validationURL is not an address of a wallet provider.';
    await fails({ validationURL: 'https://wallet.example.com/session', domainName: DOMAIN }, why);
  });
});

describe('an answer of the provider', () => {
  const results: OutgoingResult[] = [];
  let asked: OutgoingCall | undefined;
  let other: TestService;
  before(async () => {
    const outgoing: Outgoing = {
      call: async (call) => {
        asked = call;
        return results.shift()!;
      },
    };
    const { wallet } = service.deps;
    const provider = { hosts: ['p.example'], identity: { merchantIdentifier: 'm' }, outgoing };
    other = await startTestService({
      beside: service,
      env: { TRUSTED_PROXIES: '127.0.0.1' },
      jobs: false,
      overrides: { wallet: { ...wallet, providers: [provider] } },
    });
  });
  after(() => other.stop());

  const SESSION = {
    epochTimestamp: 1,
    expiresAt: 2,
    merchantSessionIdentifier: 'SSH',
    nonce: 'n',
    merchantIdentifier: 'm',
    domainName: DOMAIN,
    displayName: 'Loja',
    signature: '30',
    operationalAnalyticsIdentifier: 'passed on',
  };
  async function answered(status: number, body: unknown): Promise<number> {
    results.push({ kind: 'answer', status, body: Buffer.from(JSON.stringify(body)), isCut: false });
    return (await validateSession(other, { validationURL: 'https://p.example/s', domainName: DOMAIN }))
      .status;
  }

  it('is passed on with fields that we do not know', async () => {
    const text = JSON.stringify(SESSION);
    results.push({ kind: 'answer', status: 200, body: Buffer.from(text), isCut: false });
    const body = { validationURL: 'https://p.example/s', domainName: DOMAIN };
    assert.deepEqual((await validateSession(other, body)).body.sessionData, SESSION);
    assert.equal(asked!.url, 'https://p.example/s');
    assert.equal(JSON.parse(String(asked!.body)).initiativeContext, DOMAIN);
  });

  it('is a 400 if it is a redirect, an error, incomplete or for another domain', async () => {
    for (const status of [302, 417, 500]) assert.equal(await answered(status, SESSION), 400);
    assert.equal(await answered(200, { ...SESSION, signature: undefined }), 400);
    assert.equal(await answered(200, { ...SESSION, domainName: 'outra.wallet.test' }), 400);
    assert.equal(await answered(200, [SESSION]), 400);
    results.push({ kind: 'failed', code: 'timed_out', message: '' });
    const body = { validationURL: 'https://p.example/s', domainName: DOMAIN };
    assert.equal((await validateSession(other, body)).status, 400);
  });

  it('500: the service fails, and the operator finds the cause in the log', async () => {
    results.length = 0;
    const { status, body } = await validateSession(other, {
      validationURL: 'https://p.example/s',
      domainName: DOMAIN,
    });
    const message = 'The wallet session validation failed due to a server error.';
    assert.deepEqual([status, body], [500, { message }]);
    const failed = other.log.find((line) => line.message === 'request failed');
    const { name, cause } = failed!.fields.err as Error;
    assert.deepEqual([name, (cause as Error).name], ['OperationFailed', 'TypeError']);
  });
});

it('500: there is no certificate for the provider, and the operator finds it in the log', async () => {
  const { status, body } = await validate({ validationURL: 'https://wallet.example/s', domainName: DOMAIN });
  const message = 'The certificates for wallet sessions are not configured properly.';
  assert.deepEqual([status, body], [500, { message }]);
  const logged = service.log.filter(({ level }) => level === 'error').map((line) => line.message);
  assert.deepEqual(logged, ['wallet session refused: WALLET_CERTIFICATE is not set']);
});

describe('CORS', () => {
  const ORIGIN = 'access-control-allow-origin';

  it('a browser may ask from any page', async () => {
    const preflight = await fetch(`${service.url}/api/v1${PATH}`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://loja.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get(ORIGIN), '*');
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST');
    assert.match(preflight.headers.get('access-control-allow-headers')!, /Content-Type/);
  });

  it('every answer of the path has the header, and no other path has it', async () => {
    const ok = await validate({ validationURL: await validationUrl(shop), domainName: DOMAIN });
    assert.deepEqual([ok.status, ok.headers.get(ORIGIN)], [200, '*']);
    const bad = await validate({});
    assert.deepEqual([bad.status, bad.headers.get(ORIGIN)], [400, '*']);
    const other = await shop.call('GET', '/mobile-wallet/domains');
    assert.equal(other.headers.get(ORIGIN), null);
    const preflight = await fetch(`${service.url}/api/v1/mobile-wallet/domains`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://loja.example', 'Access-Control-Request-Method': 'POST' },
    });
    assert.deepEqual([preflight.status, preflight.headers.get(ORIGIN)], [405, null]);
  });
});
