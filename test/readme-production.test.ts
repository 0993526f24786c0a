import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { httpSandboxControl } from '../gateway/http-sandbox-control.ts';
import { runProgram } from './scripts/support/admin.ts';
import { sql } from './support/db/embedded-postgres.ts';
import { type PasswordPostgres, startPasswordPostgres } from './support/db/password-postgres.ts';
import { killWithParent, signalGroup } from './support/processes/kill-with-parent.ts';
import { blocksOf, filledIn } from './support/processes/readme.ts';
import { request } from './support/service.ts';
import { until } from './support/until.ts';

const ROOT = join(import.meta.dirname, '..');
/** Three programs at once, on a machine that has other things to do. */
const STARTS_WITHIN_MS = 120_000;
const PASSWORD = 'p@ss:w/rd';
const ACQUIRER_SECRET = 'a secret shared with the acquirer';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A shell and its child processes, in their own process group. `lines` grows as they print. */
function startShell(commands: string, env: Readonly<Record<string, string>>, cwd: string) {
  const child = killWithParent(
    spawn('sh', ['-eu', '-c', commands], {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
    { group: true },
  );
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const closed = once(child, 'close');
  return {
    lines,
    async [Symbol.asyncDispose]() {
      // The shell may have failed while its child processes still run.
      signalGroup(child, 'SIGTERM');
      await closed;
    },
  };
}

/** Runs commands of the README to their end, and fails unless they succeed. */
async function runShell(commands: string, env: Readonly<Record<string, string>>, cwd: string) {
  const { stdout, stderr, status } = await runProgram('sh', ['-eu', '-c', commands], env, cwd);
  assert.equal(status, 0, stderr);
  return stdout;
}

describe('production, by the commands of the README', () => {
  const cleanUp = new AsyncDisposableStack();
  let postgres: PasswordPostgres;
  /** What the README's exports came to, and the PATH. */
  let env: Record<string, string>;
  let url: string;
  let acquirerUrl: string;
  let commands: string[];
  /** The folder of the unpacked release. */
  let release: string;
  const admin = (line: string) => runProgram('sh', ['-eu', '-c', line], env, release);

  before(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'centavo-production-'));
    cleanUp.defer(() => rm(dataDir, { recursive: true }));
    postgres = await startPasswordPostgres(dataDir, 'centavo');
    cleanUp.use(postgres);
    // As on a separate machine: the release contains its Node.
    const isOurs = (folder: string) => folder === join(ROOT, 'node_modules/.bin');
    const PATH = process.env
      .PATH!.split(delimiter)
      .filter((folder) => !isOurs(folder))
      .join(delimiter);
    release = await unpackedRelease(dataDir, PATH);

    const [database] = await blocksOf('In production', 'sql');
    for (const statement of filledIn(database!, { PASSWORD }).split(/;\n/).filter(Boolean)) {
      await sql(postgres.adminUrl, statement);
    }
    const [, , start, ...onboarding] = await blocksOf('In production', 'sh');
    commands = onboarding.join('').trim().split('\n');
    const port = await freePort();
    acquirerUrl = `http://127.0.0.1:${await freePort()}`;
    url = `http://127.0.0.1:${port}`;
    const outside = { PATH, HOME: dataDir, DATA_DIR: dataDir, LOG_LEVEL: 'warn', PORT: `${port}` };
    const acquirer = startShell(
      'make acquirer',
      { ...outside, ACQUIRER_URL: acquirerUrl, ACQUIRER_SECRET },
      release,
    );
    cleanUp.use(acquirer);
    const printed = filledIn(start!, {
      PASSWORD: encodeURIComponent(PASSWORD),
      // The Postgres of the test speaks no TLS, and is on this machine.
      'db.example/centavo?sslmode=verify-full': `${postgres.host}/centavo`,
      'https://acquirer.example': acquirerUrl,
      'ACQUIRER_SECRET=...': `ACQUIRER_SECRET='${ACQUIRER_SECRET}'`,
      'INTERNAL_PORT=9465': 'INTERNAL_PORT=0',
    });
    const tell = `node -p 'JSON.stringify(process.env)'\nwait\n`;
    const service = startShell(`${printed}${tell}`, { ...outside, INTERNAL_PORT: '0' }, release);
    cleanUp.use(service);
    const started = [
      'Centavo is running.',
      'Centavo is running, as a worker.',
      'The simulated acquirer answers',
    ];
    const haveStarted = () => {
      const said = [...acquirer.lines, ...service.lines];
      return started.every((start) => said.some((line) => line.startsWith(start)));
    };
    await until('all have started', haveStarted, STARTS_WITHIN_MS);
    env = JSON.parse(service.lines.find((line) => line.startsWith('{'))!);
    assert.ok(service.lines.includes('The database has the newest schema.'));
    assert.ok(!service.lines.some((line) => line.includes('is not set')));
  });
  after(() => cleanUp.disposeAsync());

  it('becomes ready', async () => {
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });

  it('serves the docs and the card library, without the tools that built them', async () => {
    for (const path of ['/docs', '/docs/guides/errors', '/docs/openapi.json', '/lib/centavo.js']) {
      const answer = await fetch(`${url}${path}`);
      assert.equal(answer.status, 200, path);
      assert.ok((await answer.text()).length > 1_000, path);
    }
    const scripts = (await (await fetch(`${url}/docs`)).text()).matchAll(/<script src="([^"]+)"/g);
    for (const [, path] of scripts) assert.equal((await fetch(`${url}${path}`)).status, 200, path);
    const installed = await readdir(join(release, 'node_modules'));
    for (const tool of ['@scalar', 'esbuild', '@esbuild', 'marked', 'typescript', '@biomejs', 'vue'])
      assert.ok(!installed.includes(tool), `${tool} is installed`);
    const packages = (await readdir(join(release, 'node_modules'), { recursive: true })).filter((path) =>
      /^(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path),
    );
    assert.ok(packages.length < 200, `${packages.length} packages are installed`);
  });

  it('says in a release which commands need a clone', async () => {
    const { status, stdout, stderr } = await admin('make lint');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^This is a release, without the tools: run this in a clone of the repository\.\n/);
  });

  it('reports missing built files', async () => {
    const dist = join(release, 'web/dist');
    await rename(dist, `${dist}.away`);
    try {
      const DATABASE_URL = 'postgres://centavo@127.0.0.1:1/centavo';
      const start = async (ROLE: string) => {
        const program = ['main.ts'];
        const asked = { ...env, ROLE, DATABASE_URL };
        return (await runProgram('node_modules/.bin/node', program, asked, release)).stderr;
      };
      assert.equal(
        await start('api'),
        'The docs and the card library are not built (web/dist is missing): run make build.\n',
      );
      // A worker serves no pages, so it continues with the database, where no server answers.
      assert.match(await start('worker'), /^The database cannot be reached/);
      const { stderr } = await admin('make start');
      assert.match(
        stderr,
        /^This release is not whole: web\/dist\/manifest\.json is missing\. Unpack it again\.\n/,
      );
    } finally {
      await rename(`${dist}.away`, dist);
    }
  });

  it('does not start without the password, or with a wrong one', async () => {
    const main = [join(release, 'main.ts')];
    const refused = async (password: string) => {
      const DATABASE_URL = `postgres://centavo${password}@${postgres.host}/centavo`;
      const { stdout, stderr, status } = await runProgram(process.execPath, main, { ...env, DATABASE_URL });
      assert.deepEqual({ stdout, status }, { stdout: '', status: 1 });
      return stderr;
    };
    const sentence = 'The database cannot be reached (DATABASE_URL):';
    assert.equal(await refused(''), `${sentence} it asks for a password.\n`);
    assert.equal(await refused(':wrong'), `${sentence} password authentication failed for user "centavo".\n`);
  });

  it('onboards a merchant that can charge until its key is revoked', async () => {
    const [create, createKey, set, revoke, ...more] = commands;
    assert.deepEqual(more, []);
    const field = (text: string, name: string) => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(text)![1]!;
    const done = async (line: string) => {
      const { stdout, stderr, status } = await admin(line);
      assert.deepEqual({ stderr, status }, { stderr: '', status: 0 });
      return stdout;
    };
    const merchantId = field(await done(create!), 'merchant_id');
    const made = await done(filledIn(createKey!, { MERCHANT_ID: merchantId }));
    const key = field(made, 'api_key');
    assert.match(key, /^pay_live_/);
    await done(filledIn(set!, { MERCHANT_ID: merchantId }));

    const order = await request(url, key, 'POST', '/charges/orders', {
      body: {
        code: 'order-1',
        mcc: '5812',
        customer: { name: 'Ana Souza', email: 'ana@example.com' },
        payment: { amount: 4990, payment_method: 'pix' },
      },
    });
    assert.equal(order.status, 201, order.text);
    assert.equal(order.headers.get('ratelimit-limit'), '1200');
    assert.equal(order.body.payment.status, 'waiting_payment');
    // The acquirer's own books: the buyer pays, and the notification finds its way.
    const rows = await sql(
      env.DATABASE_URL!,
      `select reference from payments where id = '${order.body.payment.id}'`,
    );
    await using control = controlOf(acquirerUrl);
    await control.simulate({
      account: merchantId,
      reference: rows[0]!.reference as string,
      outcome: 'paid',
      reason: null,
      occurredAt: new Date(),
    });
    const paid = await request(url, key, 'GET', '/payments/order-1');
    assert.equal(paid.body.status, 'paid');

    await done(filledIn(revoke!, { KEY_ID: field(made, 'id') }));
    assert.equal((await request(url, key, 'GET', '/payments/order-1')).status, 401);
  });

  it('rotates the vault while it runs', async () => {
    const { stdout, status } = await admin('npm run -s admin -- vault rotate');
    assert.equal(status, 0);
    assert.match(stdout, /^All values are encrypted with key version 2:/);
  });
});

/** Packs a release, unpacks it in `folder` and installs its packages; returns where it is. */
async function unpackedRelease(folder: string, PATH: string): Promise<string> {
  const [pack, unpack] = await blocksOf('In production', 'sh');
  // If the lock file is newer than the installed packages, make would install them again during the test.
  const env = { PATH, MAKEFLAGS: `-o package-lock.json OUT=${folder}` };
  assert.match(await runShell(pack!, env, ROOT), /centavo-[\d.]+\.tar\.gz\n$/);
  const unpacked = (await runShell(`${unpack}pwd`, { PATH }, folder)).trim();
  // The packages are in npm's cache, since the project was installed here.
  await runShell('make ready', { PATH, npm_config_prefer_offline: 'true' }, unpacked);
  return unpacked;
}

function controlOf(acquirerUrl: string) {
  const control = httpSandboxControl({ url: acquirerUrl, secret: ACQUIRER_SECRET });
  return { ...control, [Symbol.asyncDispose]: () => control.close() };
}
