/** Why a domain could not be verified, for each way in which its verification file can be missing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setDomainOwner } from '../../../db/wallet/verified-wallet-domains.ts';
import { selfSignedIdentity } from '../../../gateway/simulator/wallet/certificate.ts';
import { domainKey } from '../../../services/wallet/domain-key.ts';
import { ownsDomain } from '../../../services/wallet/owns-domain.ts';
import { OutgoingCalls, type OutgoingOptions } from '../../../services/webhooks/outgoing-calls.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { NameServer } from '../../support/webhooks/name-server.ts';

const DOMAINS = '/mobile-wallet/domains';

/** What the server of a domain does. */
const ANSWERS: Readonly<Record<string, RequestListener>> = {
  'correta.example.com': (_, response) => response.end(`${content}\n`),
  'sem-arquivo.example.com': (_, response) => response.writeHead(404).end(),
  'sem-arquivo.loja.example.com': (_, response) => response.writeHead(404).end(),
  'redirecionada.example.com': (_, response) =>
    response.writeHead(302, { location: 'https://outra.example.com/' }).end(content),
  'outro-arquivo.example.com': (_, response) => response.end(`<html>${content}</html>`),
  'grande.example.com': (_, response) => response.end(content.padEnd(4 * 1_024 + 1)),
  'muda.example.com': () => {},
  'interrompida.example.com': (_, response) => response.socket?.destroy(),
};

const PROBLEMS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  'sem-arquivo.example.com': ['unexpected_status', 'The answer had the status 404.'],
  'redirecionada.example.com': [
    'unexpected_status',
    'The answer had the status 302. A redirect is not followed.',
  ],
  'outro-arquivo.example.com': ['unexpected_content', 'The file does not contain the verification content.'],
  'grande.example.com': ['too_large', 'The file has more than 4 KiB.'],
  'muda.example.com': ['timed_out', 'The answer was not complete in time.'],
  'interrompida.example.com': [
    'connection_closed',
    'The connection was closed before the answer was complete.',
  ],
  'desconhecida.example.com': ['unknown_host', 'The host name did not resolve.'],
  'interna.example.com': ['blocked_destination', 'Must resolve to public addresses only.'],
  'desligada.example.com': ['connection_failed', 'The host refused the connection or cannot be reached.'],
  'certificado.example.com': [
    'tls_failed',
    'The TLS handshake failed: the certificate is not valid for this host, or not trusted.',
  ],
};

let content = '';
const cleanUp = new AsyncDisposableStack();
let service: TestService;
let shop: Shop;

before(async () => {
  const [own, other] = [1, 2].map(() =>
    selfSignedIdentity(
      { name: 'example.com', dnsNames: ['*.example.com', '*.loja.example.com'] },
      new Date(),
    ),
  );
  const server = createServer({ cert: own!.certificate, key: own!.privateKey }, (request, response) =>
    ANSWERS[request.headers.host!]!(request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const names = cleanUp.use(
    await NameServer.start((host) => (host === 'interna.example.com' ? '10.0.0.1' : null)),
  );
  const calls = (options: Partial<OutgoingOptions>) => {
    const outgoing = new OutgoingCalls({ allowPrivate: false, ...options });
    cleanUp.defer(() => outgoing.close());
    return outgoing;
  };
  const local = (at: { readonly port: number; readonly certificate: string }) => ({
    localServer: { serves: () => true, ...at },
  });
  const { certificate } = own!;
  const usual = calls(local({ port, certificate }));
  const resolving = calls({ lookups: { servers: [names.address] } });
  const special: Readonly<Record<string, OutgoingCalls>> = {
    'muda.example.com': calls({ ...local({ port, certificate }), timeout_ms: 100 }),
    'desconhecida.example.com': resolving,
    'interna.example.com': resolving,
    // Nothing listens on port 1.
    'desligada.example.com': calls(local({ port: 1, certificate })),
    'certificado.example.com': calls(local({ port, certificate: other!.certificate })),
  };
  const wallet = {
    providers: [],
    files: {
      call: (call: Parameters<OutgoingCalls['call']>[0]) =>
        (special[new URL(call.url).hostname] ?? usual).call(call),
    },
  };
  service = await startTestService({ jobs: false, overrides: { wallet } });
  cleanUp.defer(() => service.stop());
  shop = await Shop.open(service);
});
after(() => cleanUp.disposeAsync());

describe('the verification of a domain', () => {
  it('has no problem if the file is right', async () => {
    const domain = await created(shop.post(DOMAINS, { domain_name: 'correta.example.com' }));
    content = domain.verification_content;
    const { body } = await shop.post(`${DOMAINS}/${domain.id}/verify`);
    assert.deepEqual([body.status, body.problem], ['verified', null]);
  });

  for (const [domain_name, [code, message]] of Object.entries(PROBLEMS)) {
    it(`says why it failed: ${code}, ${domain_name}`, async () => {
      const domain = await created(shop.post(DOMAINS, { domain_name }));
      assert.equal(domain.problem, null);
      content = domain.verification_content;
      const { status, body } = await shop.post(`${DOMAINS}/${domain.id}/verify`);
      assert.deepEqual([status, body.status, body.problem], [200, 'failed', { code, message }]);
      assert.deepEqual(await shop.get(`${DOMAINS}/${domain.id}`), body);
    });
  }

  it('gives no sessions if an earlier check succeeded, but was interrupted', async () => {
    const name = 'sem-arquivo.loja.example.com';
    const domain = await created(shop.post(DOMAINS, { domain_name: name }));
    const [row] = await service.rows<{ slot: number }>('select slot from wallet_domains where id = :id', {
      id: domain.id,
    });
    const owner = { slot: row!.slot, merchantId: shop.account, domainId: domain.id };
    await setDomainOwner(service.deps.db, domainKey(name), owner);
    assert.equal((await shop.post(`${DOMAINS}/${domain.id}/verify`)).body.status, 'failed');
    const asked = { validationURL: 'https://wallet.example.com/start', domainName: name };
    const { status, body } = await service.call('POST', '/mobile-wallet/validate-session', { body: asked });
    assert.equal(status, 400);
    assert.match(body.message, /the domain is not registered and verified/);
    assert.equal(await ownsDomain(service.deps, owner, name), false);
  });
});
