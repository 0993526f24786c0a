import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../config.ts';
import { bytesFrom, KEY, OTHER_KEY, PRODUCTION, refused } from './support/processes/config-environments.ts';

const WALLET = join(import.meta.dirname, 'support/wallet');
const read = (name: string) => readFileSync(join(WALLET, name), 'utf8');

test('without any variable it is a sandbox', () => {
  assert.deepEqual(readConfig({}), {
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: null,
    dataDir: '.data',
    environment: 'sandbox',
    role: 'all',
    checkoutBaseUrl: null,
    internalPort: 9464,
    logLevel: 'info',
    vaultKeys: null,
    keyPepper: null,
    allowPrivateDestinations: false,
    acquirerUrl: null,
    acquirerSecret: null,
    maxInFlight: 256,
    databasePool: 13,
    wallet: null,
    smtp: null,
    walletProviderHosts: [],
    publicHosts: [],
    trustedProxies: [],
  });
});

test('each variable is read', () => {
  const config = readConfig({
    ...PRODUCTION,
    PORT: '80',
    HOST: '0.0.0.0',
    DATA_DIR: '/var/lib/centavo',
    ROLE: 'worker',
    CHECKOUT_BASE_URL: 'https://pay.example/',
    INTERNAL_PORT: '9000',
    LOG_LEVEL: 'warn',
    VAULT_KEYS: `${KEY}, ${OTHER_KEY}`,
    MAX_IN_FLIGHT: '64',
    DATABASE_POOL: '20',
    WALLET_CERTIFICATE: join(WALLET, 'certificate.pem'),
    WALLET_PRIVATE_KEY: read('private-key.pem').replaceAll('\n', '\\n'),
    SMTP_URL: 'smtp://user:secret@mail.example:587',
    MAIL_FROM: 'receipts@shop.example',
    WALLET_PROVIDER_HOSTS: 'Wallet.example, gateway.wallet.example:8443',
    PUBLIC_HOSTS: 'Docs.Centavo.example., intranet',
    TRUSTED_PROXIES: '10.0.0.0/8, 2001:DB8::1',
  });
  assert.deepEqual(config, {
    port: 80,
    host: '0.0.0.0',
    databaseUrl: PRODUCTION.DATABASE_URL,
    dataDir: '/var/lib/centavo',
    environment: 'production',
    role: 'worker',
    checkoutBaseUrl: 'https://pay.example',
    internalPort: 9000,
    logLevel: 'warn',
    vaultKeys: [bytesFrom(1), bytesFrom(2)],
    keyPepper: PRODUCTION.KEY_PEPPER,
    allowPrivateDestinations: false,
    acquirerUrl: PRODUCTION.ACQUIRER_URL,
    acquirerSecret: PRODUCTION.ACQUIRER_SECRET,
    maxInFlight: 64,
    databasePool: 20,
    wallet: { certificate: read('certificate.pem'), privateKey: read('private-key.pem') },
    smtp: {
      url: 'smtp://user:secret@mail.example:587',
      from: 'receipts@shop.example',
      requiresTls: true,
    },
    walletProviderHosts: ['wallet.example', 'gateway.wallet.example:8443'],
    publicHosts: ['docs.centavo.example', 'intranet'],
    trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
  });
  assert.equal(readConfig({ ALLOW_PRIVATE_DESTINATIONS: 'true' }).allowPrivateDestinations, true);
});

test('an empty variable counts as unset, and spaces around a value are ignored', () => {
  assert.equal(readConfig({ PORT: '', DATABASE_URL: '  ' }).port, 3000);
  assert.equal(readConfig({ DATABASE_URL: '  ' }).databaseUrl, null);
  assert.equal(readConfig({ PORT: ' 8080 ' }).port, 8080);
});

describe('a wrong value prevents the start with a sentence that names the variable', () => {
  const wrong: [string, string[]][] = [
    ['PORT', ['x', '-1', '65536', '80.5', '1e3', '0x50']],
    ['INTERNAL_PORT', ['http', '70000']],
    ['DATABASE_URL', ['mysql://db/centavo', 'db.example', 'postgres://[db', 'postgres://db:x/centavo']],
    ['PAYMENTS_ENV', ['staging', 'Production']],
    ['ROLE', ['both']],
    [
      'CHECKOUT_BASE_URL',
      [
        'pay.example',
        'ftp://pay.example',
        'https://user@pay.example',
        'https://pay.example?',
        'https://pay.example/pay',
        'https://pay.example//',
        'https://pay.example/.',
      ],
    ],
    ['LOG_LEVEL', ['loud']],
    [
      'VAULT_KEYS',
      [
        'secret',
        `${KEY},`,
        bytesFrom(1).subarray(1).toString('base64'),
        Buffer.alloc(32).toString('base64'),
        Buffer.alloc(32, 'ab').toString('base64'),
        `${OTHER_KEY},${Buffer.alloc(32).toString('base64')}`,
        `${KEY},${OTHER_KEY},${KEY}`,
        KEY.replace('=', ''),
        `${KEY}=`,
        `${KEY.slice(0, 20)} ${KEY.slice(20)}`,
        `${KEY.slice(0, 20)}!${KEY.slice(20)}`,
        bytesFrom(220).toString('base64url'),
        // The last character holds two bits that belong to no byte.
        KEY.replace(/.=$/, (end) => (end === 'A=' ? 'B=' : `${String.fromCharCode(end.charCodeAt(0) + 1)}=`)),
      ],
    ],
    ['KEY_PEPPER', ['short', 'p'.repeat(32), 'changeme'.repeat(5).replaceAll('m', 'n')]],
    ['ALLOW_PRIVATE_DESTINATIONS', ['yes', '1']],
    [
      'ACQUIRER_URL',
      [
        'acquirer.example',
        'https://user@acquirer.example',
        'https://user:secret@acquirer.example',
        'https://:secret@acquirer.example',
        'https://@acquirer.example',
        'https://acquirer.example?',
        'https://acquirer.example/v2?key=1',
        'https://acquirer.example/#',
        'https://acquirer.example/#top',
        // A URL forgets tabs and line ends.
        'https:/\t/user:secret@acquirer.example',
        'https://acquirer.example/v 2',
      ],
    ],
    [
      'WALLET_CERTIFICATE',
      ['nowhere.pem', 'biome.json', '-----BEGIN CERTIFICATE-----', read('certificate.pem')],
    ],
    ['WALLET_PRIVATE_KEY', ['nowhere.pem', read('certificate.pem'), read('private-key.pem')]],
    ['WALLET_PROVIDER_HOSTS', ['https://wallet.example', 'wallet.example/path', 'a_b', '*.wallet.example']],
    [
      'PUBLIC_HOSTS',
      [
        'https://docs.example',
        'docs.example/path',
        'docs.example:443',
        'a_b',
        '*.docs.example',
        '[::1]',
        '.',
        '.docs',
      ],
    ],
    ['TRUSTED_PROXIES', ['proxy.example', '10.0.0.0/33', '10.0.0.0-10.0.0.9']],
    [
      'SMTP_URL',
      [
        'mail.example',
        'https://mail.example',
        'smtp://',
        'smtp://mail.example/inbox',
        'smtp://mail.example?pool=1',
      ],
    ],
    ['MAIL_FROM', ['shop.example', 'Shop <receipts@shop.example>', 'a@b@c.example']],
    ['MAX_IN_FLIGHT', ['none', '0']],
    ['DATABASE_POOL', ['0', '501']],
  ];
  for (const [variable, values] of wrong) {
    for (const value of values) test(`${variable}=${value}`, () => refused({ [variable]: value }, variable));
  }
});

test('a certificate for wallets needs the key of that certificate', () => {
  const WALLET_CERTIFICATE = read('certificate.pem');
  refused({ WALLET_CERTIFICATE, WALLET_PRIVATE_KEY: read('other-key.pem') }, 'WALLET_PRIVATE_KEY');
});

test('a mail server needs a sender, and a sender needs a mail server', () => {
  refused({ SMTP_URL: 'smtp://mail.example' }, 'SMTP_URL');
  refused({ MAIL_FROM: 'receipts@shop.example' }, 'MAIL_FROM');
});

test('e-mails leave a production machine through TLS only', () => {
  const MAIL_FROM = 'receipts@shop.example';
  const requiresTls = (env: object, SMTP_URL: string) =>
    readConfig({ ...env, SMTP_URL, MAIL_FROM }).smtp!.requiresTls;
  assert.equal(requiresTls(PRODUCTION, 'smtp://mail.example'), true);
  assert.equal(requiresTls(PRODUCTION, 'smtp://localhost:25'), false);
  assert.equal(requiresTls({}, 'smtp://mail.example'), false);
});
