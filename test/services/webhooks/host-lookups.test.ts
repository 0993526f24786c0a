import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HostLookups } from '../../../services/webhooks/host-lookups.ts';
import { NameServer } from '../../support/webhooks/name-server.ts';

/** The maximum of look-ups in flight for one merchant. */
const MAX_LOOKUPS_PER_MERCHANT = 4;

describe('looking up hosts', () => {
  it('returns the addresses of a host, and none if it does not exist', async () => {
    await using server = await NameServer.start((host) => (host === 'shop.example' ? '203.0.114.7' : null));
    const lookups = new HostLookups({ servers: [server.address] });
    assert.deepEqual(await lookups.start('a', 'shop.example'), ['203.0.114.7']);
    assert.deepEqual(await lookups.start('a', 'nowhere.example'), []);
  });

  it('limits simultaneous look-ups per merchant, and does not delay another merchant', async () => {
    await using server = await NameServer.start(() => undefined);
    const lookups = new HostLookups({ servers: [server.address], timeout_ms: 60_000 });
    const ofOne = Array.from({ length: MAX_LOOKUPS_PER_MERCHANT }, (_, n) =>
      lookups.start('a', `${n}.example`),
    );
    assert.equal(lookups.start('a', 'one-more.example'), undefined);
    assert.equal(lookups.start('a', '0.example'), ofOne[0], 'one that is under way is shared');
    const ofAnother = lookups.start('b', 'one-more.example');
    assert.ok(ofAnother !== undefined);
    // Until each has been answered: it may not have been asked yet.
    const speaking = setInterval(() => server.answerOpenQueries(), 5);
    assert.deepEqual(await Promise.all([...ofOne, ofAnother]), Array(MAX_LOOKUPS_PER_MERCHANT + 1).fill([]));
    assert.deepEqual(await lookups.start('a', 'one-more.example'), []);
    clearInterval(speaking);
  });

  it('times out if a name server does not answer, and can then ask again', async () => {
    await using server = await NameServer.start(() => undefined);
    const lookups = new HostLookups({ servers: [server.address], timeout_ms: 20 });
    for (let turn = 0; turn < 2; turn += 1) {
      const all = Array.from({ length: MAX_LOOKUPS_PER_MERCHANT }, (_, n) =>
        lookups.start('a', `${n}.example`),
      );
      assert.deepEqual(await Promise.all(all), Array(MAX_LOOKUPS_PER_MERCHANT).fill([]));
    }
  });
});
