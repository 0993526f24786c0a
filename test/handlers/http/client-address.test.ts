import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddresses } from '../../../handlers/http/client-address.ts';

/** The address of the client of a request that came from `socket`. */
function addressOf(trusted: readonly string[], socket: string, forwardedFor?: string | string[]): string {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return clientAddresses(trusted)({
    socket: { remoteAddress: socket },
    headers,
  } as unknown as IncomingMessage);
}

test('without trusted proxies, the address is that of the connection', () => {
  assert.equal(addressOf([], '203.0.113.9', '198.51.100.1'), '203.0.113.9');
  assert.equal(addressOf([], '::ffff:203.0.113.9'), '203.0.113.9');
});

test('behind a trusted proxy, it is the last address that no trusted proxy has', () => {
  const trusted = ['10.0.0.0/8', '2001:db8:ffff::1'];
  assert.equal(addressOf(trusted, '10.0.0.5', '198.51.100.1'), '198.51.100.1');
  assert.equal(addressOf(trusted, '::ffff:10.0.0.5', '192.0.2.66, 198.51.100.1, 10.1.1.1'), '198.51.100.1');
  assert.equal(addressOf(trusted, '10.0.0.5', ['192.0.2.66', '198.51.100.1']), '198.51.100.1');
  assert.equal(addressOf(trusted, '2001:db8:ffff::1', '198.51.100.1'), '198.51.100.1');
  assert.equal(addressOf(trusted, '203.0.113.9', '198.51.100.1'), '203.0.113.9', 'not a trusted proxy');
});

test('the address may be followed by a port, as some load balancers write it', () => {
  for (const [text, address] of [
    ['198.51.100.1:51234', '198.51.100.1'],
    ['[2001:db8:1:2::1]:51234', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['192.0.2.66:1, 198.51.100.1:2, 10.1.1.1:3', '198.51.100.1'],
  ] as const) {
    assert.equal(addressOf(['10.0.0.0/8'], '10.0.0.5', text), address, text);
  }
});

test('a header that cannot be read does not hide the proxy', () => {
  const texts = ['unknown', '', '198.51.100.1, "; drop', '3325256705', '0306.51.100.1', '198.51.100.1%eth0'];
  for (const text of texts) {
    assert.equal(addressOf(['10.0.0.5'], '10.0.0.5', text), '10.0.0.5', text);
  }
});

test('the address of a connection can name the zone of an interface', () => {
  for (const zone of ['eth0', 'eth0.10', 'br-1a2b']) {
    assert.equal(addressOf([], `fe80::1%${zone}`), 'fe80:0:0:0::/64', zone);
    assert.equal(addressOf(['10.0.0.5'], '10.0.0.5', `fe80::1%${zone}`), 'fe80:0:0:0::/64', zone);
  }
});

test('IPv6 addresses are counted by their /64 network', () => {
  assert.equal(addressOf([], '2001:db8:1:2::1'), addressOf([], '2001:db8:1:2:ffff::9'));
  assert.notEqual(addressOf([], '2001:db8:1:2::1'), addressOf([], '2001:db8:1:3::1'));
});
