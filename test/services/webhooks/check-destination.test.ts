import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpstreamCalls } from '../../../services/upstream-calls.ts';
import { destinationProblem } from '../../../services/webhooks/check-destination.ts';
import { HostLookups } from '../../../services/webhooks/host-lookups.ts';
import { NameServer } from '../../support/webhooks/name-server.ts';

const deps = {
  allowPrivateDestinations: false,
  hostLookups: new HostLookups(),
  upstreamCalls: new UpstreamCalls(),
};
const MERCHANT_ID = '0197f6f0-0000-7000-8000-000000000000';

describe('looking up the name of a destination', () => {
  it('does not occupy a thread of the process', async () => {
    const looking = destinationProblem(deps, MERCHANT_ID, 'https://hooks.loja.invalid/pedidos');
    // So Node calls what runs in its pool of four threads: getaddrinfo, files, and cryptography.
    assert.deepEqual(
      process.getActiveResourcesInfo().filter((name) => /GetAddrInfo/i.test(name)),
      [],
    );
    assert.equal(await looking, undefined);
  });
});

describe('the addresses of a destination', () => {
  const ADDRESSES: Readonly<Record<string, string>> = {
    'public-4.example': '203.0.114.7',
    'public-6.example': '2606:4700:0:0:0:0:0:1',
    'private-4.example': '10.0.0.1',
    'private-6.example': 'fd00:0:0:0:0:0:0:1',
    'mapped.example': '0:0:0:0:0:ffff:7f00:1',
    'compatible-loopback.example': '0:0:0:0:0:0:7f00:1',
    'compatible-public.example': '0:0:0:0:0:0:808:808',
    'unassigned.example': '4000:0:0:0:0:0:0:1',
    'translated.example': '64:ff9b:0:0:0:0:a00:1',
  };

  it('must be public, in every notation of a private address', async () => {
    await using server = await NameServer.start((host) => ADDRESSES[host] ?? null);
    const asking = { ...deps, hostLookups: new HostLookups({ servers: [server.address] }) };
    for (const host of Object.keys(ADDRESSES)) {
      const problem = await destinationProblem(asking, MERCHANT_ID, `https://${host}./hook`);
      const expected = host.startsWith('public') ? undefined : 'Must resolve to public addresses only.';
      assert.equal(problem, expected, host);
    }
    assert.equal(await destinationProblem(asking, MERCHANT_ID, 'https://nowhere.example/hook'), undefined);
  });
});
