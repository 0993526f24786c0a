import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { destinationProblem } from '../../services/check-destination.ts';
import { HostLookups } from '../../services/host-lookups.ts';
import { Waits } from '../../services/waits.ts';

const deps = { allowPrivateDestinations: false, hostLookups: new HostLookups(), waits: new Waits() };
const MERCHANT_ID = '0197f6f0-0000-7000-8000-000000000000';

describe('looking up the name of a destination', () => {
  it('holds no thread of the process', async () => {
    const looking = destinationProblem(deps, MERCHANT_ID, 'https://hooks.loja.invalid/pedidos');
    // So Node calls what runs in its pool of four threads: getaddrinfo, files, and cryptography.
    assert.deepEqual(
      process.getActiveResourcesInfo().filter((name) => /GetAddrInfo/i.test(name)),
      [],
    );
    assert.equal(await looking, undefined);
  });
});
