import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from './scripts/support/admin.ts';
import { blocksOf, filledIn } from './support/processes/readme.ts';
import { startTestService } from './support/service.ts';
import { runSamples, samplesOf } from './web/support/guide-samples.ts';

const ROOT = join(import.meta.dirname, '..');
const CURL = join(import.meta.dirname, 'support/processes/curl.ts');

interface Call {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any answer
  readonly body: any;
}

/** Runs commands in a shell whose `curl` is ours; resolves to the calls that they made. */
async function callsOf(commands: string): Promise<Call[]> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-readme-'));
  try {
    const log = join(folder, 'calls');
    await writeFile(join(folder, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${CURL}' "$@"\n`);
    await chmod(join(folder, 'curl'), 0o755);
    const PATH = [folder, dirname(process.execPath), process.env.PATH].join(':');
    const { stderr, status } = await runProgram('sh', ['-eu', '-c', commands], { PATH, CURL_LOG: log });
    assert.deepEqual({ stderr, status }, { stderr: '', status: 0 });
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the commands of the README for a first payment work', async () => {
  await using service = await startTestService();
  const printed = (await blocksOf('A first payment', 'sh')).join('');
  const commands = filledIn(printed, {
    'http://127.0.0.1:3000': service.url,
    'pay_test_...': service.merchant.apiKey,
  });

  const calls = await callsOf(commands);
  assert.deepEqual(
    calls.map(({ method, path, status }) =>
      [method, path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…'), status].join(' '),
    ),
    [
      'POST /api/v1/customers 201',
      'POST /api/v1/charges/orders 201',
      'POST /api/v1/sandbox/payments/…/simulate 200',
      'GET /api/v1/payments/order-1 200',
      'GET /api/v1/events?payment_id=… 200',
      'GET /api/v1/cards/encryption-key 200',
      'POST /api/v1/cards 201',
      'POST /api/v1/charges/orders 201',
      'POST /api/v1/payments/…/refunds 201',
      'POST /api/v1/sandbox/clock/advance 200',
      'GET /api/v1/payments/order-2 200',
    ],
  );
  assert.equal(calls[3]!.body.status, 'paid');
  const events = calls[4]!.body.data.map(({ event, data }: Call['body']) => `${event} ${data.status}`);
  assert.deepEqual(events, [
    'payment.updated paid',
    'payment.updated waiting_payment',
    'payment.created processing',
  ]);
  assert.equal(calls[10]!.body.status, 'partially_refunded');
  assert.equal(calls[10]!.body.refunded_amount, 1990);
});

test('the quick start works after the first payment of the README', async () => {
  await using service = await startTestService();
  const { apiKey, encryptionKey } = service.merchant;
  const printed = (await blocksOf('A first payment', 'sh')).join('');
  await callsOf(filledIn(printed, { 'http://127.0.0.1:3000': service.url, 'pay_test_...': apiKey }));
  const samples = samplesOf(await readFile(join(ROOT, 'web/guides/10-quick-start.md'), 'utf8'));
  const env = { BASE_URL: `${service.url}/api/v1`, API_KEY: apiKey, ENCRYPTION_KEY: encryptionKey };
  const statuses = (await runSamples(samples, env)).flatMap((ran) => ran.statuses);
  assert.ok(statuses.length >= samples.length);
  assert.deepEqual(
    statuses.filter((status) => status >= 300),
    [],
  );
});

test('the README lists every variable of the configuration, and no other', async () => {
  const config = await readFile(join(ROOT, 'config.ts'), 'utf8');
  const read = new Set([...config.matchAll(/\benv, '([A-Z_]+)'/g)].map(([, name]) => name));
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const table = readme.split('\n').filter((line) => /^\| `[A-Z]/.test(line));
  const documented = table.flatMap((line) =>
    [...line.split('|')[1]!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  );
  assert.ok(read.size > 10);
  assert.deepEqual(documented.sort(), [...read].sort());
});

test('the README names every folder of the project', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const rooms = [
    'domain',
    'db',
    'gateway',
    'generated',
    'handlers',
    'jobs',
    'scripts',
    'services',
    'spec',
    'test',
    'web',
  ];
  for (const room of rooms) assert.match(readme, new RegExp(`^\\| .*\`${room}/\``, 'm'), room);
});

test('the README lists every metric of the service, and no other', async () => {
  await using service = await startTestService();
  const served = await (await fetch(`${service.internalUrl}/metrics`)).text();
  const named = (await readFile(join(ROOT, 'README.md'), 'utf8')).matchAll(/^\| `(centavo_\w+)/gm);
  assert.deepEqual(
    [...named].map(([, name]) => name).toSorted(),
    [...served.matchAll(/^# TYPE (centavo_\w+)/gm)].map(([, name]) => name).toSorted(),
  );
});
