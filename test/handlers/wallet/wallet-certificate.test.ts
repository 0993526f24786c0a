/** Wallet sessions of a provider that requires the client certificate of the configuration. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { walletConnections } from '../../../composition/wallet.ts';
import { readConfig } from '../../../config.ts';
import { selfSignedIdentity } from '../../../gateway/simulator/wallet/certificate.ts';
import { startTestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { TlsWalletProvider } from '../../support/wallet/tls-wallet-provider.ts';
import { domainOf, validateSession, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

const NAMES = { name: 'Loja', id: 'merchant.example.loja' };
const IDENTITY = selfSignedIdentity(NAMES, new Date());

const service = await sharedService({ jobs: false });
let shop: Shop;
let provider: TlsWalletProvider;
let session: { readonly validationURL: string; readonly domainName: string };
before(async () => {
  shop = await Shop.open(service);
  const domainName = domainOf(shop);
  await verifiedDomain(shop, domainName);
  provider = await TlsWalletProvider.start(IDENTITY);
  session = { validationURL: `https://${provider.host}/session?id=1`, domainName };
});
after(() => provider[Symbol.asyncDispose]());

const environment = (certificate: string, privateKey: string) => ({
  ALLOW_PRIVATE_DESTINATIONS: 'true',
  WALLET_PROVIDER_HOSTS: provider.host,
  WALLET_CERTIFICATE: certificate,
  WALLET_PRIVATE_KEY: privateKey,
});

/** Requests the session from a service with this certificate. */
async function validateWith({ certificate, privateKey }: typeof IDENTITY) {
  const env = environment(certificate, privateKey);
  await using configured = await startTestService({ beside: service, jobs: false, env });
  return await validateSession(configured, session);
}

test('the provider gets the certificate, its user id, the name of the account and the domain', async () => {
  const answer = {
    epochTimestamp: 1,
    expiresAt: 2,
    merchantSessionIdentifier: 'SSH',
    nonce: 'n',
    merchantIdentifier: NAMES.id,
    domainName: session.domainName,
    displayName: 'Loja',
    signature: '30',
  };
  provider.answer = answer;
  const { status, body } = await validateWith(IDENTITY);
  assert.deepEqual([status, body], [200, { sessionData: answer }]);
  const sent = {
    merchantIdentifier: NAMES.id,
    displayName: shop.onboarded.merchant.name,
    initiative: 'web',
    initiativeContext: session.domainName,
  };
  assert.deepEqual(provider.received, [{ path: '/session?id=1', body: sent, clientName: NAMES.name }]);
});

test('the provider gives no session to another certificate with the same names', async () => {
  provider.received.length = 0;
  assert.equal((await validateWith(selfSignedIdentity(NAMES, new Date()))).status, 400);
  assert.deepEqual(provider.received, []);
});

test('a provider that has not answered after five seconds fails', async (t) => {
  provider.received.length = 0;
  provider.answer = null;
  await using cleanUp = new AsyncDisposableStack();
  const config = readConfig(environment(IDENTITY.certificate, IDENTITY.privateKey));
  const { providers } = walletConnections(config, null, cleanUp);
  assert.equal(providers.length, 1, 'production has no provider of the sandbox');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const call = providers[0]!.outgoing.call({ url: session.validationURL, method: 'POST', body: '{}' });
  await until('the provider has the request', () => provider.received.length === 1);
  const result = () => Promise.race([call, setImmediate(null)]);
  t.mock.timers.tick(4_999);
  assert.equal(await result(), null);
  t.mock.timers.tick(1);
  assert.partialDeepStrictEqual(await result(), { kind: 'failed', code: 'timed_out' });
});

test('the identifier is the common name of a certificate that has no user id', async () => {
  const file = (name: string) => new URL(`../../support/wallet/${name}`, import.meta.url).pathname;
  const config = readConfig(environment(file('certificate.pem'), file('private-key.pem')));
  await using cleanUp = new AsyncDisposableStack();
  const [configured] = walletConnections(config, null, cleanUp).providers;
  assert.deepEqual(configured!.identity, { merchantIdentifier: 'merchant.wallet.test' });
});
