import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { selfSignedIdentity } from '../../gateway/simulator/wallet/certificate.ts';
import { OutgoingCalls, type OutgoingOptions } from '../../services/webhooks/outgoing-calls.ts';
import { missingProgram } from '../support/processes/apt-program.ts';
import { type RunningAcquirer, startAcquirer } from './support/acquirer.ts';

const DOMAIN = 'loja.wallet.test';
const OPENSSL = { command: 'openssl', asks: ['version'], aptPackage: 'openssl' };

let running: RunningAcquirer;
before(async () => {
  running = await startAcquirer();
});
after(() => running.stop());

/** Requests the session of a new validation URL. */
async function request(options: Partial<OutgoingOptions>, body: object = {}) {
  const { validationUrl } = await running.control.createWalletSession('account', DOMAIN);
  return post(validationUrl, options, body);
}

async function post(url: string, options: Partial<OutgoingOptions>, body: object = {}) {
  const { server, merchantIdentifier } = running.simulator.wallet;
  const calls = new OutgoingCalls({ allowPrivate: false, localServer: server, ...options });
  try {
    return await calls.call({
      url,
      method: 'POST',
      body: JSON.stringify({
        merchantIdentifier,
        displayName: 'Loja',
        initiative: 'web',
        initiativeContext: DOMAIN,
        ...body,
      }),
    });
  } finally {
    await calls.close();
  }
}

const status = async (asked: ReturnType<typeof request>) => {
  const answer = await asked;
  return answer.kind === 'answer' ? answer.status : answer.code;
};

describe('the wallet provider of the sandbox', () => {
  it('gives a session to the merchant identity, and to no other client', async () => {
    const { identity } = running.simulator.wallet;
    assert.equal(await status(request({ identity })), 200);
    assert.equal(await status(request({})), 401);
    const stranger = selfSignedIdentity({ name: 'Sandbox', id: 'merchant.sandbox' }, new Date());
    assert.equal(await status(request({ identity: stranger })), 401);
  });

  it('gives a session only for the domain, the merchant and the use that it was made for', async () => {
    const { identity } = running.simulator.wallet;
    for (const body of [
      { initiativeContext: 'outra.wallet.test' },
      { merchantIdentifier: 'merchant.other' },
      { initiative: 'messaging' },
      { displayName: undefined },
      { displayName: '' },
      { displayName: 'L'.repeat(65) },
    ]) {
      assert.equal(await status(request({ identity }, body)), 417, JSON.stringify(body));
    }
    assert.equal(
      await status(post('https://provider.wallet.test/paymentservices/startSession/x', { identity })),
      417,
    );
  });

  it('signs a session like Apple Pay: a detached CMS signature with the certificate', {
    skip: missingProgram(OPENSSL, 'The signature is not verified'),
  }, async (t) => {
    const { identity, server } = running.simulator.wallet;
    const answer = await request({ identity });
    assert.equal(answer.kind, 'answer');
    const { signature, ...session } = JSON.parse(String(answer.body));
    const folder = mkdtempSync(join(tmpdir(), 'centavo-cms-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'signature'), Buffer.from(signature, 'hex'));
    writeFileSync(join(folder, 'provider.pem'), server.certificate);
    const isSigned = (content: object) => {
      writeFileSync(join(folder, 'session'), JSON.stringify(content));
      const signed = ['-inform', 'DER', '-in', 'signature', '-binary', '-content', 'session'];
      const trusted = ['-CAfile', 'provider.pem', '-purpose', 'any', '-out', 'verified'];
      return spawnSync('openssl', ['cms', '-verify', ...signed, ...trusted], { cwd: folder }).status === 0;
    };
    assert.equal(isSigned(session), true);
    assert.equal(isSigned({ ...session, domainName: 'outra.wallet.test' }), false);
  });

  it('accepts a display name of 64 characters', async () => {
    const { identity } = running.simulator.wallet;
    assert.equal(await status(request({ identity }, { displayName: 'é'.repeat(64) })), 200);
  });

  it('is not believed with another certificate', async () => {
    const { identity, server } = running.simulator.wallet;
    const { certificate } = selfSignedIdentity({ name: 'provider.wallet.test' }, new Date());
    const localServer = { ...server, certificate };
    assert.equal(await status(request({ identity, localServer })), 'tls_failed');
  });
});
