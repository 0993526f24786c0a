/** Calls to addresses that merchants gave: hostile addresses are never connected to, hostile answers are bounded. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { UpstreamCalls } from '../../../services/upstream-calls.ts';
import { destinationProblem } from '../../../services/webhooks/check-destination.ts';
import { isPublicAddress } from '../../../services/webhooks/destination-rules.ts';
import { guardedConnect } from '../../../services/webhooks/guarded-connect.ts';
import { HostLookups } from '../../../services/webhooks/host-lookups.ts';
import type { OutgoingResult } from '../../../services/webhooks/outgoing.ts';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import { Listener } from '../../support/webhooks/listener.ts';
import { NameServer } from '../../support/webhooks/name-server.ts';
import destinations from '../../vectors/destinations.json' with { type: 'json' };

const HOSTILE = Object.values(destinations.refused as Record<string, string[]>).flat();
/** As hosts of URLs. */
const PRIVATE = destinations.privateAddresses.map((address) =>
  address.includes(':') ? `[${address}]` : address,
);
const LOOPBACK = '127.0.0.1';
const PUBLIC = '203.0.114.7';

/** What the name server says of each host. Every other one is this machine. */
const ANSWERS: Readonly<Record<string, string | readonly string[] | null>> = {
  'nowhere.example': null,
  'mixed.example': [PUBLIC, LOOPBACK],
  'mixed-families.example': [PUBLIC, '0:0:0:0:0:0:0:1'],
  'private.example': '10.0.0.1',
  'mapped.example': '0:0:0:0:0:ffff:7f00:1',
  'compatible.example': '0:0:0:0:0:0:7f00:1',
  'translated.example': '64:ff9b:0:0:0:0:7f00:1',
  'link-local.example': '169.254.169.254',
  'unspecified.example': '0.0.0.0',
};

let names: NameServer;
let listener: Listener;
before(async () => {
  names = await NameServer.start((host) => (host in ANSWERS ? ANSWERS[host] : LOOPBACK));
  listener = await Listener.start();
});
after(async () => {
  await listener[Symbol.asyncDispose]();
  await names[Symbol.asyncDispose]();
});

const publicOnly = () =>
  new OutgoingCalls({ allowPrivate: false, timeout_ms: 2_000, lookups: { servers: [names.address] } });
const codeOf = (result: OutgoingResult) => (result.kind === 'failed' ? result.code : result.status);

describe('a hostile destination', () => {
  it('is tried with more than 600 URLs', () => assert.ok(HOSTILE.length > 600));

  it('is refused by each of them before anything is looked up', async () => {
    const calls = publicOnly();
    const asked = names.asked.length;
    for (const url of HOSTILE) {
      assert.equal(codeOf(await calls.call({ url, method: 'POST', body: '{}' })), 'blocked_destination', url);
    }
    assert.equal(names.asked.length, asked);
    await calls.close();
  });

  it('is not connected to under any spelling of its host, also without the rules for URLs', async () => {
    const connect = guardedConnect({
      allowPrivate: false,
      timeout_ms: 10_000,
      lookups: { servers: [names.address] },
    });
    const agent = new Agent({ connect });
    const before = listener.connections;
    const hosts = HOSTILE.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname);
    const urls = [...new Set([...hosts, ...PRIVATE])]
      // Public addresses are hostile by their port or scheme only.
      .filter((host) => !isPublicAddress(host.replace(/^\[|\]$/g, '')))
      .flatMap((host) => [`http://${host}:${listener.port}/`, `https://${host}:${listener.port}/`])
      .filter((url) => URL.canParse(url));
    assert.ok(urls.length > 450, `${urls.length} are tried`);
    const signal = AbortSignal.timeout(10_000);
    const requests = urls.map((url) => assert.rejects(request(url, { dispatcher: agent, signal }), url));
    await Promise.all(requests);
    assert.equal(signal.aborted, false);
    assert.equal(listener.connections, before);
    await agent.destroy();
  });

  it('is connected to where private addresses are allowed, and is counted', async () => {
    const before = listener.connections;
    const calls = new OutgoingCalls({ allowPrivate: true, timeout_ms: 200 });
    await calls.call({ url: listener.url, method: 'POST' });
    await calls.call({ url: `http://localhost:${listener.port}/`, method: 'POST' });
    assert.equal(listener.connections, before + 2);
    await calls.close();
  });
});

describe('a name', () => {
  const cases: [string, string][] = [
    ['loopback.example', 'blocked_destination'],
    ['mixed.example', 'blocked_destination'],
    ['mixed-families.example', 'blocked_destination'],
    ['private.example', 'blocked_destination'],
    ['mapped.example', 'blocked_destination'],
    ['compatible.example', 'blocked_destination'],
    ['translated.example', 'blocked_destination'],
    ['link-local.example', 'blocked_destination'],
    ['unspecified.example', 'blocked_destination'],
    ['nowhere.example', 'unknown_host'],
  ];
  for (const [host, code] of cases) {
    it(`${host} fails as ${code}, without a connection`, async () => {
      const calls = publicOnly();
      const before = listener.connections;
      for (const name of [host, `${host}.`]) {
        const url = `https://${name}:${listener.port}/hook`;
        assert.equal(codeOf(await calls.call({ url, method: 'POST', body: '{}' })), code);
      }
      assert.equal(listener.connections, before);
      await calls.close();
    });
  }

  it('that becomes private after it was checked is not connected to', async () => {
    let queries = 0;
    // The first look-up, of both families, is that of the check.
    await using rebinding = await NameServer.start(() => (++queries <= 2 ? PUBLIC : LOOPBACK));
    const lookups = { servers: [rebinding.address] };
    const url = `https://rebinding.example:${listener.port}/hook`;
    const checking = {
      allowPrivateDestinations: false,
      hostLookups: new HostLookups(lookups),
      upstreamCalls: new UpstreamCalls(),
    };
    assert.equal(await destinationProblem(checking, 'merchant', url), undefined);
    const calls = new OutgoingCalls({ allowPrivate: false, lookups });
    const before = listener.connections;
    assert.equal(codeOf(await calls.call({ url, method: 'POST' })), 'blocked_destination');
    assert.equal(listener.connections, before);
    await calls.close();
  });

  it('that does not resolve fails as unknown_host, also where private addresses are allowed', async () => {
    const calls = new OutgoingCalls({ allowPrivate: true });
    // No name server is asked: a label has 63 characters at most.
    const url = `http://${'a'.repeat(64)}.example/hook`;
    assert.equal(codeOf(await calls.call({ url, method: 'POST' })), 'unknown_host');
    await calls.close();
  });

  it('whose name server is silent fails within the time of a call', async () => {
    await using silent = await NameServer.start(() => undefined);
    const lookups = { servers: [silent.address], timeout_ms: 50 };
    const calls = new OutgoingCalls({ allowPrivate: false, lookups });
    const url = 'https://silent.example/hook';
    assert.equal(codeOf(await calls.call({ url, method: 'POST' })), 'unknown_host');
    await calls.close();
  });
});

describe('a hostile answer', () => {
  const calls = new OutgoingCalls({ allowPrivate: true, timeout_ms: 500 });
  after(() => calls.close());
  const answer = async (serve: (socket: Socket) => void) => {
    await using receiver = await Listener.start((socket) => socket.once('data', () => serve(socket)));
    return await calls.call({ url: receiver.url, method: 'POST', body: '{}' });
  };
  /** Writes `chunk` again and again. */
  const repeat = (socket: Socket, chunk: string, pause_ms: number) => {
    const timer = setInterval(() => socket.write(chunk), pause_ms);
    socket.on('close', () => clearInterval(timer));
  };
  const OK = 'HTTP/1.1 200 OK\r\n';

  it('without an end is read to 4 KiB', async () => {
    const result = await answer((socket) => {
      socket.write(`${OK}\r\n`);
      repeat(socket, 'x'.repeat(1_024), 1);
    });
    assert.ok(result.kind === 'answer');
    assert.deepEqual([result.status, result.body.length, result.isCut], [200, 4_096, true]);
  });

  it('of exactly 4 KiB is whole', async () => {
    const result = await answer((socket) =>
      socket.write(`${OK}Content-Length: 4096\r\n\r\n${'x'.repeat(4_096)}`),
    );
    assert.ok(result.kind === 'answer');
    assert.deepEqual([result.body.length, result.isCut], [4_096, false]);
  });

  it('that is compressed is kept as it came', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const result = await answer((socket) => {
      socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    assert.ok(result.kind === 'answer');
    assert.deepEqual(result.body, bomb.subarray(0, 4_096));
  });

  it('that redirects is not followed', async () => {
    const before = listener.connections;
    const result = await answer((socket) =>
      socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${listener.url}\r\nContent-Length: 0\r\n\r\n`),
    );
    assert.equal(codeOf(result), 307);
    assert.equal(listener.connections, before);
  });

  const cases: [string, string, (socket: Socket) => void][] = [
    ['that never begins', 'timed_out', () => {}],
    [
      'whose headers drip',
      'timed_out',
      (socket) => {
        socket.write(OK);
        repeat(socket, 'X-More: more\r\n', 50);
      },
    ],
    [
      'of informational statuses without an end',
      'timed_out',
      (socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 10),
    ],
    [
      'whose body drips',
      'timed_out',
      (socket) => {
        socket.write(`${OK}\r\n`);
        repeat(socket, 'x', 50);
      },
    ],
    [
      'whose body stops',
      'timed_out',
      (socket) => {
        socket.write(`${OK}Content-Length: 10\r\n\r\nxxx`);
      },
    ],
    [
      'with long headers',
      'invalid_answer',
      (socket) => socket.write(`${OK}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`),
    ],
    ['that is not HTTP', 'invalid_answer', (socket) => socket.write('220 mail.example ESMTP\r\n')],
    ['that breaks off', 'connection_closed', (socket) => socket.end(`${OK}Content-Length: 10\r\n\r\nxxx`)],
    ['that is a reset', 'connection_closed', (socket) => socket.resetAndDestroy()],
    ['that is nothing', 'connection_closed', (socket) => socket.end()],
  ];
  for (const [what, code, serve] of cases) {
    it(`${what} fails as ${code}`, async () => assert.equal(codeOf(await answer(serve)), code));
  }

  it('of a port where nothing listens fails as connection_failed', async () => {
    const gone = await Listener.start();
    const { port } = gone;
    await gone[Symbol.asyncDispose]();
    const result = await calls.call({ url: `http://127.0.0.1:${port}/`, method: 'POST' });
    assert.equal(codeOf(result), 'connection_failed');
  });

  it('under a certificate that nobody signed fails as tls_failed', async () => {
    const wallet = join(import.meta.dirname, '../../support/wallet');
    const server = createTlsServer({
      cert: readFileSync(join(wallet, 'certificate.pem')),
      key: readFileSync(join(wallet, 'private-key.pem')),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const result = await calls.call({ url: `https://localhost:${port}/`, method: 'POST' });
    server.close();
    assert.equal(codeOf(result), 'tls_failed');
  });
});
