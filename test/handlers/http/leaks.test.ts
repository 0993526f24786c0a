import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { encryptCard } from '../../support/cards/cards.ts';
import { BANK_ACCOUNT, companyBody } from '../../support/orders/parties.ts';
import { killWithParent } from '../../support/processes/kill-with-parent.ts';
import { request } from '../../support/service.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Planted once each, and looked for everywhere. */
const PLANTED = {
  number: '5031433215406351',
  // Four digits alone turn up by chance; in this neighbourhood they would not.
  securityCode: '"securityCode":"7391"',
  amex: '378282246310005',
  document: '52998224725',
  account: '9988776655443322',
};

describe('a whole run writes no secret', () => {
  let dataDir: string;
  let temporaryDir: string;
  let output = '';
  let apiKey = '';

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'centavo-leaks-'));
    temporaryDir = await mkdtemp(join(tmpdir(), 'centavo-leaks-tmp-'));
    const child = startProcess(dataDir, temporaryDir);
    child.stderr!.on('data', (chunk) => {
      output += chunk;
    });
    const welcome = await readUntil(child, /Key +(pay_test_\w+)/);
    apiKey = /pay_test_\w+/.exec(welcome)![0];
    const url = /http:\/\/[\d.:]+(?=\/api)/.exec(welcome)![0];
    const { encryptionKey } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
    await tellTheStory(url, apiKey, encryptionKey);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0, output);
  });

  after(async () => {
    await rm(dataDir, { recursive: true, force: true });
    await rm(temporaryDir, { recursive: true, force: true });
  });

  it('to the log: no card number, security code, key or document', () => {
    assert.ok(output.includes('"operation":"createOrder"'), 'the log contains the requests');
    for (const secret of [...Object.values(PLANTED), apiKey, '7391"']) {
      assert.ok(!output.includes(secret), `the log holds ${secret}`);
    }
  });

  it('to the files of the database and next to them: no card number, security code, key or bank account', async () => {
    const files = [...(await filesUnder(join(dataDir, 'postgres'))), ...(await filesUnder(temporaryDir))];
    assert.ok(files.length > 100);
    let sawCustomer = false;
    for (const file of files) {
      const bytes = await readFile(file);
      sawCustomer ||= bytes.includes('ana.leaks@example.com');
      for (const secret of [PLANTED.number, PLANTED.amex, PLANTED.securityCode, PLANTED.account, apiKey]) {
        assert.ok(!bytes.includes(secret), `${file} holds ${secret}`);
      }
    }
    assert.ok(sawCustomer, 'the search finds what is stored in plain');
  });
});

async function tellTheStory(url: string, key: string, encryptionKey: string): Promise<void> {
  const call = (method: string, path: string, body?: object) => request(url, key, method, path, { body });
  const customer = await call('POST', '/customers', {
    name: 'Ana Souza',
    email: 'ana.leaks@example.com',
    documents: [{ type: 'cpf', value: PLANTED.document }],
  });
  const tokenize = (number: string, securityCode: string) =>
    call('POST', '/cards', {
      customer_id: customer.body.id,
      encrypted: encryptCard(
        { number, holder: 'ANA SOUZA', expMonth: '12', expYear: '39', securityCode },
        encryptionKey,
      ),
    });
  const mastercard = await tokenize(PLANTED.number, '739');
  const amex = await tokenize(PLANTED.amex, '7391');
  assert.equal(mastercard.status, 201, mastercard.text);
  assert.equal(amex.status, 201, amex.text);
  assert.equal((await tokenize(PLANTED.number.replace('51', '52'), '739')).status, 422);
  for (const [index, card] of [mastercard, amex].entries()) {
    const order = await call('POST', '/charges/orders', {
      code: `leak-${index}`,
      mcc: '5734',
      customer: { id: customer.body.id },
      payment: { amount: 5_000, payment_method: 'credit_card', credit_card: { id: card.body.id } },
    });
    assert.equal(order.body.payment.status, 'paid', order.text);
  }
  const bank_account = { ...BANK_ACCOUNT, account_number: PLANTED.account };
  const recipient = await call('POST', '/recipients', companyBody({ bank_account }));
  assert.equal(recipient.status, 201, recipient.text);
  await call('GET', `/customers?document=${PLANTED.document}`);
  await request(url, key, 'POST', '/customers', { rawBody: `{"number":"${PLANTED.number}", oops` });
  await request(url, key, 'POST', '/cards', {
    body: { customer_id: PLANTED.number, encrypted: PLANTED.number },
  });
}

function startProcess(dataDir: string, temporaryDir: string): ChildProcess {
  const child = spawn(process.execPath, ['main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      TMPDIR: temporaryDir,
      DATA_DIR: dataDir,
      PORT: '0',
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'trace',
    },
  });
  return killWithParent(child);
}

async function readUntil(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout!) {
    text += chunk;
    if (pattern.test(text)) return text;
  }
  throw new Error(`The service ended without its welcome: ${text}`);
}

async function filesUnder(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  const files: string[] = [];
  for (const name of names) {
    const path = join(directory, name);
    if ((await stat(path)).isFile()) files.push(path);
  }
  return files;
}
