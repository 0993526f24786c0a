import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { type DatabaseTarget, readDatabaseAddress } from './db/engine/database-address.ts';
import { isEmail } from './domain/email.ts';
import type { Environment } from './domain/merchants/api-key.ts';
import { looksRandom, readBase64Key } from './domain/merchants/secret-strength.ts';

const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const MIN_SECRET_CHARACTERS = 32;

/** The configuration of a process, read once from the environment. The README describes each variable. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Null: the embedded Postgres under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly environment: Environment;
  readonly role: Role;
  /** Null: the service's own address. */
  readonly checkoutBaseUrl: string | null;
  readonly internalPort: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Master keys of the vault, newest first. Null in the sandbox: created once and stored under `dataDir`. */
  readonly vaultKeys: readonly Buffer[] | null;
  readonly keyPepper: string | null;
  readonly allowPrivateDestinations: boolean;
  /**
   * Null: the simulated acquirer, which runs in this process; in production none, so no order is accepted.
   */
  readonly acquirerUrl: string | null;
  readonly acquirerSecret: string | null;
  readonly maxInFlight: number;
  readonly databasePool: number;
  /** The merchant identity for wallet sessions, a certificate and its key in PEM. Null: there is none. */
  readonly wallet: { readonly certificate: string; readonly privateKey: string } | null;
  /** The mail server and the sender of e-mails to buyers. Null: there is none. */
  readonly smtp: { readonly url: string; readonly from: string; readonly requiresTls: boolean } | null;
  /** Hosts from which wallet sessions may be requested, in lower case, with their port if it is not 443. */
  readonly walletProviderHosts: readonly string[];
  /** Host names of this service besides IP addresses and `localhost`, in lower case and without a trailing dot. */
  readonly publicHosts: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed: addresses, and networks such as `10.0.0.0/8`. */
  readonly trustedProxies: readonly string[];
}

/** A variable is wrong or missing. The message is a sentence with its name. */
export class ConfigError extends Error {}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads and checks the configuration. Throws `ConfigError`. */
export function readConfig(env: Env): Config {
  const environment = oneOf(env, 'PAYMENTS_ENV', ['sandbox', 'production'] as const, 'sandbox');
  const config: Config = {
    port: integer(env, 'PORT', 3000, 0, 65_535),
    host: text(env, 'HOST') ?? '127.0.0.1',
    databaseUrl: databaseUrl(env),
    dataDir: text(env, 'DATA_DIR') ?? '.data',
    environment,
    role: oneOf(env, 'ROLE', ROLES, 'all'),
    checkoutBaseUrl: pagesUrl(env),
    internalPort: integer(env, 'INTERNAL_PORT', 9464, 0, 65_535),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    vaultKeys: vaultKeys(env),
    keyPepper: pepper(env),
    allowPrivateDestinations: boolean(env, 'ALLOW_PRIVATE_DESTINATIONS', false),
    acquirerUrl: httpUrl(env, 'ACQUIRER_URL'),
    acquirerSecret: text(env, 'ACQUIRER_SECRET'),
    maxInFlight: integer(env, 'MAX_IN_FLIGHT', 256, 1, 100_000),
    databasePool: integer(env, 'DATABASE_POOL', 13, 1, 500),
    wallet: wallet(env),
    smtp: smtp(env, environment),
    walletProviderHosts: hosts(env, 'WALLET_PROVIDER_HOSTS'),
    publicHosts: publicHosts(env),
    trustedProxies: trustedProxies(env),
  };
  if (environment === 'production') assertFitForProduction(config, env);
  return config;
}

function assertFitForProduction(config: Config, env: Env): void {
  if (config.allowPrivateDestinations) {
    throw new ConfigError('ALLOW_PRIVATE_DESTINATIONS must not be true in production.');
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new ConfigError('NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production.');
  }
  const { acquirerUrl, acquirerSecret } = config;
  const needed: readonly (readonly [name: string, value: unknown])[] = [
    ['VAULT_KEYS', config.vaultKeys],
    ['KEY_PEPPER', config.keyPepper],
    ...(acquirerUrl === null ? [] : [['ACQUIRER_SECRET', acquirerSecret] as const]),
  ];
  const missing = needed.filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length > 0) throw new ConfigError(`${missing.join(' and ')} must be set in production.`);
  assertStrong('ACQUIRER_SECRET', acquirerSecret, ' in production');
  if (acquirerUrl !== null && !isSafeForCards(acquirerUrl)) {
    throw new ConfigError('ACQUIRER_URL must be an https address in production, or one of this machine.');
  }
  if (config.databaseUrl !== null && !isSafeForRows(readDatabaseAddress(config.databaseUrl))) {
    throw new ConfigError(
      'DATABASE_URL names another machine. In production it must request TLS (?sslmode=verify-full), or turn it off explicitly (?sslmode=disable).',
    );
  }
}

/** Card numbers are sent to this address, so it must be encrypted or local. */
function isSafeForCards(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLocal(hostname);
}

function isSafeForRows({ hosts, usesTls, declinesTls }: DatabaseTarget): boolean {
  return usesTls || declinesTls || hosts.every((host) => host.startsWith('/') || isLocal(host));
}

function isLocal(host: string): boolean {
  return /^(localhost|127(\.[0-9]+){3}|\[?::1\]?)$/i.test(host);
}

function assertStrong(name: string, secret: string | null, where = ''): void {
  if (secret === null) return;
  if (secret.length < MIN_SECRET_CHARACTERS) {
    throw new ConfigError(`${name} must have at least ${MIN_SECRET_CHARACTERS} characters${where}.`);
  }
  if (!looksRandom(secret)) {
    throw new ConfigError(`${name} must be random: it has too few different characters.`);
  }
}

function text(env: Env, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
  }
  return number;
}

function boolean(env: Env, name: string, fallback: boolean): boolean {
  return oneOf(env, name, ['true', 'false'] as const, fallback ? 'true' : 'false') === 'true';
}

function oneOf<Value extends string>(
  env: Env,
  name: string,
  values: readonly Value[],
  fallback: Value,
): Value {
  const value = text(env, name);
  if (value === null) return fallback;
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw new ConfigError(`${name} must be one of: ${values.join(', ')}.`);
  return known;
}

function httpUrl(env: Env, name: string): string | null {
  const value = text(env, name);
  if (value === null) return null;
  // The URL parser drops tabs and line ends.
  if (/\s/.test(value) || !URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(`${name} must be an http or https address.`);
  }
  // Paths are appended to the address. Checks the text, because the URL parser drops a single `?`, `#` or `@`.
  if (/[?#]|^[^/]*[/]*[^/]*@/.test(value)) {
    throw new ConfigError(`${name} must have no user name, password, query or fragment.`);
  }
  return value.replace(/\/$/, '');
}

/** The pages link to each other, and load their files, by paths from the root of the host. */
function pagesUrl(env: Env): string | null {
  const url = httpUrl(env, 'CHECKOUT_BASE_URL');
  if (url === null || /^https?:\/\/[^/\\]+$/i.test(url)) return url;
  throw new ConfigError('CHECKOUT_BASE_URL must have no path, such as https://pay.example.com.');
}

function databaseUrl(env: Env): string | null {
  const value = text(env, 'DATABASE_URL');
  if (value === null) return null;
  if (!/^postgres(ql)?:\/\//.test(value)) {
    throw new ConfigError('DATABASE_URL must be a postgres:// address.');
  }
  try {
    readDatabaseAddress(value);
  } catch (error) {
    throw new ConfigError(`DATABASE_URL is not a valid address: ${(error as Error).message}.`);
  }
  return value;
}

function vaultKeys(env: Env): readonly Buffer[] | null {
  const value = text(env, 'VAULT_KEYS');
  if (value === null) return null;
  const keys = value.split(',').map((part) => readBase64Key(part.trim()));
  if (!keys.every((key) => key !== undefined)) {
    throw new ConfigError(
      'VAULT_KEYS must be keys of 32 bytes in base64, newest first, separated by commas.',
    );
  }
  if (!keys.every(looksRandom)) {
    throw new ConfigError('VAULT_KEYS must be random: one of them has too few different bytes.');
  }
  if (new Set(keys.map((key) => key.toString('hex'))).size < keys.length) {
    throw new ConfigError('VAULT_KEYS must not contain a key twice.');
  }
  return keys;
}

function pepper(env: Env): string | null {
  const value = text(env, 'KEY_PEPPER');
  assertStrong('KEY_PEPPER', value);
  return value;
}

function wallet(env: Env): Config['wallet'] {
  const certificate = pem(env, 'WALLET_CERTIFICATE', (text) => new X509Certificate(text));
  const privateKey = pem(env, 'WALLET_PRIVATE_KEY', createPrivateKey);
  if (certificate === null && privateKey === null) return null;
  if (certificate === null) throw new ConfigError('WALLET_PRIVATE_KEY needs WALLET_CERTIFICATE.');
  if (privateKey === null) throw new ConfigError('WALLET_CERTIFICATE needs WALLET_PRIVATE_KEY.');
  if (!certificate.parsed.checkPrivateKey(privateKey.parsed)) {
    throw new ConfigError('WALLET_PRIVATE_KEY must be the key of WALLET_CERTIFICATE.');
  }
  return { certificate: certificate.text, privateKey: privateKey.text };
}

/** In production a password and the e-mails go to another machine through TLS only. */
function smtp(env: Env, environment: Environment): Config['smtp'] {
  const url = text(env, 'SMTP_URL');
  const from = text(env, 'MAIL_FROM');
  if (url === null && from === null) return null;
  if (url === null) throw new ConfigError('MAIL_FROM needs SMTP_URL.');
  if (from === null) throw new ConfigError('SMTP_URL needs MAIL_FROM.');
  if (/\s/.test(url) || !URL.canParse(url) || !/^smtps?:\/\/[^/?#]+\/?$/.test(url)) {
    throw new ConfigError(
      'SMTP_URL must be an smtp or smtps address, such as smtps://user:password@mail.example.com.',
    );
  }
  if (!isEmail(from)) {
    throw new ConfigError('MAIL_FROM must be an e-mail address, such as receipts@shop.example.com.');
  }
  const { protocol, hostname } = new URL(url);
  const requiresTls = protocol === 'smtp:' && environment === 'production' && !isLocal(hostname);
  return { url, from, requiresTls };
}

/** PEM, or the path of a PEM file. Line ends may be written as \n. */
function pem<Parsed>(env: Env, name: string, parse: (text: string) => Parsed) {
  const value = text(env, name);
  if (value === null) return null;
  try {
    const content = value.includes('-----BEGIN')
      ? value.replaceAll('\\n', '\n')
      : readFileSync(value, 'utf8');
    return { text: content, parsed: parse(content) };
  } catch {
    throw new ConfigError(`${name} must be in PEM, without a password, or the path of a file that is.`);
  }
}

function hosts(env: Env, name: string): readonly string[] {
  const names = list(env, name);
  const isHost = (part: string) => /^[a-z0-9.-]+(:[0-9]+)?$/.test(part) && URL.canParse(`https://${part}`);
  if (!names.every(isHost)) throw new ConfigError(`${name} must be host names, separated by commas.`);
  return names;
}

/** Without ports, because only the name distinguishes the service from a page of another origin. */
function publicHosts(env: Env): readonly string[] {
  const names = hosts(env, 'PUBLIC_HOSTS').map((name) => name.replace(/\.$/, ''));
  if (names.some((name) => name.includes(':') || name.split('.').includes(''))) {
    throw new ConfigError('PUBLIC_HOSTS must be host names without ports, separated by commas.');
  }
  return names;
}

function trustedProxies(env: Env): readonly string[] {
  const networks = list(env, 'TRUSTED_PROXIES');
  if (networks.every((text) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text))) return networks;
  throw new ConfigError('TRUSTED_PROXIES must be IP addresses or networks, separated by commas.');
}

function list(env: Env, name: string): readonly string[] {
  return (text(env, name) ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}
