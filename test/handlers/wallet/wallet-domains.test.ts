import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, test } from 'node:test';
import { Client } from 'pg';
import { DAY_MS } from '../../../domain/durations.ts';
import { selfSignedIdentity } from '../../../gateway/simulator/wallet/certificate.ts';
import type { Outgoing, OutgoingCall, OutgoingResult } from '../../../services/webhooks/outgoing.ts';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import { checkDueWalletDomains } from '../../support/run-jobs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { validateSession, validationUrl, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

const DOMAINS = '/mobile-wallet/domains';

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({ jobs: false });
  shop = await Shop.open(service);
});
after(() => service.stop());

const register = (domain_name: string, by = shop) => by.post(DOMAINS, { domain_name });

describe('a registered domain', () => {
  it('shows where its verification file must be, and what it contains', async () => {
    const domain = await created(register('Shop.Wallet.Test'));
    assert.equal(domain.domain_name, 'shop.wallet.test');
    assert.equal(domain.status, 'pending');
    assert.equal(domain.verification_path, '/.well-known/mobile-wallet-domain-association');
    assert.match(domain.verification_content, /^[0-9a-z]{48}$/);
    assert.deepEqual([domain.verified_at, domain.problem], [null, null]);
    assert.deepEqual(await shop.get(`${DOMAINS}/${domain.id}`), domain);
    assert.deepEqual((await shop.get(DOMAINS)).data, [domain]);
  });

  it('is verified by its file', async () => {
    const domain = await verifiedDomain(shop, 'certa.wallet.test');
    assert.notEqual(domain.verified_at, null);
    assert.equal(domain.problem, null);
  });

  it('fails without the file, and can be verified again', async () => {
    const { id } = await created(register('missing.wallet.test'));
    const { status, body } = await shop.post(`${DOMAINS}/${id}/verify`);
    assert.deepEqual([status, body.status, body.verified_at], [200, 'failed', null]);
    assert.deepEqual(body.problem, {
      code: 'unexpected_status',
      message: 'The answer had the status 404.',
    });
    assert.deepEqual(await shop.get(`${DOMAINS}/${id}`), body);
  });

  it('is refused if it was registered before, or is not the name of a public host', async () => {
    await created(register('uma.wallet.test'));
    const again = await register('UMA.wallet.test');
    assert.deepEqual(again.body.errors, { domain_name: ['You have already registered this domain.'] });
    for (const name of [
      'loja',
      '10.0.0.1',
      'loja.example.com:8443',
      'https://loja.example.com',
      'a.internal',
    ]) {
      assert.equal((await register(name)).status, 422, name);
    }
  });
});

describe('a domain of several accounts', () => {
  const NAME = 'disputada.wallet.test';
  const session = async (of: Shop) => {
    const body = { validationURL: await validationUrl(of, NAME), domainName: NAME };
    return (await validateSession(service, body)).body.sessionData?.displayName;
  };

  it('is verified for the one that serves its file last', async () => {
    const [first, second] = [
      await Shop.open(service, { name: 'Primeira' }),
      await Shop.open(service, { name: 'Segunda' }),
    ];
    const ofFirst = await verifiedDomain(first, NAME);
    const registered = await created(register(NAME, second));
    assert.equal(await session(second), 'Primeira');
    await second.post(`${DOMAINS}/${registered.id}/verify`);
    assert.equal(await session(second), 'Segunda');
    const lost = await first.get(`${DOMAINS}/${ofFirst.id}`);
    assert.deepEqual([lost.status, lost.problem.code], ['failed', 'verified_by_another_account']);
  });

  it('gets no session after it was deleted', async () => {
    const owner = await Shop.open(service);
    const { id } = await verifiedDomain(owner, 'apagada.wallet.test');
    const validationURL = await validationUrl(owner, 'apagada.wallet.test');
    assert.equal((await owner.call('DELETE', `${DOMAINS}/${id}`)).status, 204);
    const body = { validationURL, domainName: 'apagada.wallet.test' };
    assert.equal((await validateSession(service, body)).status, 400);
    assert.equal((await owner.call('GET', `${DOMAINS}/${id}`)).status, 404);
  });

  it('gets no session when it was deleted and verified at the same time', async () => {
    const owner = await Shop.open(service);
    const { id } = await verifiedDomain(owner, 'corrida.wallet.test');
    const validationURL = await validationUrl(owner, 'corrida.wallet.test');
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    try {
      // The row can be changed, and not deleted.
      await client.query('begin');
      await client.query('select 1 from wallet_domains where id = $1 for key share', [id]);
      const deletion = owner.call('DELETE', `${DOMAINS}/${id}`);
      await until('the deletion waits', async () => {
        const waiting = await service.rows(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from wallet_domains%'`,
        );
        return waiting.length > 0;
      });
      assert.equal((await owner.post(`${DOMAINS}/${id}/verify`)).body.status, 'verified');
      await client.query('commit');
      assert.equal((await deletion).status, 204);
    } finally {
      await client.end();
    }
    const body = { validationURL, domainName: 'corrida.wallet.test' };
    assert.equal((await validateSession(service, body)).status, 400);
  });
});

describe('the check of a verified domain', () => {
  let content: string;
  const calls: OutgoingCall[] = [];
  let answer: () => OutgoingResult;
  let checked: TestService;
  let owner: Shop;
  let id: string;
  const found = (): OutgoingResult => ({
    kind: 'answer',
    status: 200,
    body: Buffer.from(`${content}\n`),
    isCut: false,
  });
  before(async () => {
    const files: Outgoing = {
      call: async (call) => {
        calls.push(call);
        return answer();
      },
    };
    const wallet = { ...service.deps.wallet, files };
    checked = await startTestService({ jobs: false, beside: service, overrides: { wallet } });
    owner = new Shop(checked, shop.onboarded);
    const domain = await created(owner.post(DOMAINS, { domain_name: 'loja.example.com' }));
    ({ id, verification_content: content } = domain);
    answer = found;
    await owner.post(`${DOMAINS}/${id}/verify`);
  });
  after(() => checked.stop());

  let days = 0;
  /** The status after the check of the next day. */
  async function nextDay(): Promise<string> {
    days += 1;
    checked.setAhead(days * (DAY_MS + 1_000));
    const before = calls.length;
    await checkDueWalletDomains(checked.deps);
    const url = 'https://loja.example.com/.well-known/mobile-wallet-domain-association';
    assert.ok(calls.slice(before).some((call) => call.url === url && call.method === 'GET'));
    return (await owner.get(`${DOMAINS}/${id}`)).status;
  }

  it('is made once a day', async () => {
    const before = calls.length;
    await checkDueWalletDomains(checked.deps);
    assert.equal(calls.length, before);
    assert.equal(await nextDay(), 'verified');
  });

  it('unverifies it when the file is missing for the third time in a row, and not before', async () => {
    answer = () => ({ kind: 'answer', status: 404, body: Buffer.from(''), isCut: false });
    assert.deepEqual([await nextDay(), await nextDay()], ['verified', 'verified']);
    assert.equal((await owner.get(`${DOMAINS}/${id}`)).problem.code, 'unexpected_status');
    answer = found;
    assert.equal(await nextDay(), 'verified');
    assert.equal((await owner.get(`${DOMAINS}/${id}`)).problem, null);
    answer = () => ({ kind: 'failed', code: 'timed_out', message: '' });
    assert.deepEqual([await nextDay(), await nextDay()], ['verified', 'verified']);
    assert.equal(await nextDay(), 'failed');
    const body = { validationURL: 'https://provider.wallet.test/x', domainName: 'loja.example.com' };
    const { body: refused } = await validateSession(service, body);
    assert.match(refused.message, /not registered and verified/);
    const logged = checked.log
      .filter(({ fields }) => fields.domain_name === 'loja.example.com')
      .map(({ message }) => message);
    assert.deepEqual(logged, ['wallet domain unverified']);
  });

  it('accepts nothing but the content of the domain', async () => {
    for (const body of [`${content}x`, `${content}\n${content}`, '']) {
      answer = () => ({ kind: 'answer', status: 200, body: Buffer.from(body), isCut: false });
      assert.equal((await owner.post(`${DOMAINS}/${id}/verify`)).body.status, 'failed', body);
    }
    answer = () => ({ kind: 'answer', status: 301, body: Buffer.from(content), isCut: false });
    assert.equal((await owner.post(`${DOMAINS}/${id}/verify`)).body.status, 'failed');
  });
});

test('sessions fetch no verification file: the server of the domain is called for the verification alone', async () => {
  const NAME = 'contada.example.com';
  const own = selfSignedIdentity({ name: NAME, dnsNames: [NAME] }, new Date());
  let connections = 0;
  let content = '';
  await using cleanUp = new AsyncDisposableStack();
  const files = createServer({ cert: own.certificate, key: own.privateKey }, (_, response) => {
    response.end(`${content}\n`);
  });
  files.on('connection', () => {
    connections += 1;
  });
  files.listen(0, '127.0.0.1');
  await once(files, 'listening');
  cleanUp.defer(() => {
    files.close();
    files.closeAllConnections();
  });
  const localServer = {
    serves: (host: string) => host === NAME,
    port: (files.address() as AddressInfo).port,
    certificate: own.certificate,
  };
  const outgoing = new OutgoingCalls({ allowPrivate: false, localServer });
  cleanUp.defer(() => outgoing.close());
  const calls: OutgoingCall[] = [];
  const wallet = {
    ...service.deps.wallet,
    files: {
      call: (call: OutgoingCall) => {
        calls.push(call);
        return outgoing.call(call);
      },
    },
  };
  const counting = await startTestService({ jobs: false, beside: service, overrides: { wallet } });
  cleanUp.defer(() => counting.stop());
  const owner = new Shop(counting, shop.onboarded);
  const domain = await created(owner.post(DOMAINS, { domain_name: NAME }));
  content = domain.verification_content;
  assert.equal((await owner.post(`${DOMAINS}/${domain.id}/verify`)).body.status, 'verified');
  assert.deepEqual([connections, calls.length], [1, 1]);
  for (let session = 0; session < 3; session += 1) {
    const body = { validationURL: await validationUrl(owner, NAME), domainName: NAME };
    const { status, text } = await validateSession(counting, body);
    assert.equal(status, 200, text);
  }
  assert.deepEqual([connections, calls.length], [1, 1]);
});
