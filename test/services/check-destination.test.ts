import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { destinationProblem } from '../../services/check-destination.ts';
import type { Deps } from '../../services/deps.ts';

const deps = { allowPrivateDestinations: false } as Deps;

describe('looking up the name of a destination', () => {
  it('holds no thread of the process', async () => {
    const looking = destinationProblem(deps, 'https://hooks.loja.invalid/pedidos');
    // So Node calls what runs in its pool of four threads: getaddrinfo, files, and cryptography.
    assert.deepEqual(
      process.getActiveResourcesInfo().filter((name) => /GetAddrInfo/i.test(name)),
      [],
    );
    assert.equal(await looking, undefined);
  });
});
