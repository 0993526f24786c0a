import { Client } from 'pg';
import { type Service, startService } from '../../../composition/service.ts';
import { readConfig } from '../../../config.ts';
import type { Log } from '../../../services/deps.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { cardDocument, encryptJwe, VISA } from '../../support/cards/cards.ts';
import { customerBody } from '../../support/orders/parties.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { useUpRequests } from '../../support/pages/used-up-requests.ts';
import { type Json, startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { type ContractMerchant, openMerchant } from './merchant.ts';
import { Steps } from './steps.ts';

/**
 * Thrown by an action that a target does not support. The answer that needs it is not requested. The message says why.
 */
export class OutOfReach extends Error {}

/** The service under test, with actions for recipes that its API does not have. */
export interface Target extends AsyncDisposable {
  /** Root of the service under test. */
  readonly url: string;
  /** Faults in the preparation of a story. */
  readonly steps: Steps;
  /** Address of a second instance on the same database that refuses every request. */
  readonly overloadedUrl: string;
  /** The merchant of an operation, created on the first call. */
  merchantOf(operationId: string): Promise<ContractMerchant>;
  /** A key that has used up its rate limit of one request, in a minute that does not end soon. */
  usedUpKey(): Promise<string>;
  /** A key of an account that is not approved. */
  notApprovedKey(): Promise<string>;
  /**
   * Hashes of a page, its payment and a subscription, whose buyer has used up the requests of a minute that does not
   * end soon.
   */
  usedUpPage(): Promise<{ readonly page: string; readonly payment: string; readonly subscription: string }>;
  /** Hash of a payment link of an account that is not approved. */
  notApprovedPage(): Promise<string>;
  /** The network address of a client that has used up its wallet sessions, in a minute that does not end soon. */
  usedUpAddress(): Promise<string>;
  /** Host of a wallet provider for which the service has no certificate. */
  readonly providerWithoutCertificate: string;
  /** Locks a table, so that requests that use it wait. Returns the release. */
  lock(table: string): Promise<() => Promise<void>>;
  /** Moves the clock of the service under test forward. */
  letPass(time_ms: number): void;
  /** Whether a request has begun under this idempotency key. */
  hasBegun(idempotencyKey: string): Promise<boolean>;
  /** Throws OutOfReach when this answer, such as `resetSandbox 200`, must not be requested. */
  allow?(answer: string): void;
}

/** Every other transaction on the table ends within the longest statement. */
const LONGEST_WAIT_FOR_A_TABLE_MS = 30_000;
/** Requests can name the address of their client. */
const TRUSTED = { TRUSTED_PROXIES: '127.0.0.1', WALLET_PROVIDER_HOSTS: 'wallet.example' };
const CLIENT_ADDRESS = '203.0.113.7';
const NO_ACQUIRER = { ACQUIRER_URL: 'http://127.0.0.1:9', ACQUIRER_SECRET: 'no acquirer is asked' };

/** The service under test, and a second instance on its database that refuses every request. */
export interface ServiceUnderTest extends AsyncDisposable {
  readonly service: TestService;
  readonly overloadedUrl: string;
  /** Moves the clock of the service forward. */
  letPass(time_ms: number): void;
}

export async function startServiceUnderTest(
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceUnderTest> {
  await using cleanUp = new AsyncDisposableStack();
  let passed_ms = 0;
  const wall = () => new Date(Date.now() + passed_ms);
  const service = cleanUp.use(await startTestService({ env: { ...TRUSTED, ...env }, overrides: { wall } }));
  const overloaded = await startOverloaded(service);
  cleanUp.defer(() => overloaded.stop());
  const running = cleanUp.move();
  return {
    service,
    overloadedUrl: overloaded.url!,
    letPass: (time_ms) => {
      passed_ms += time_ms;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export interface TargetOptions {
  /** The service that several targets share. Default: one that ends with the target. */
  readonly underTest?: ServiceUnderTest;
  /** Starts a server between every request and the service: takes the service's address and returns its own. */
  readonly through?: (url: string) => Promise<string>;
  /** Variables of the service under test, if it is not shared. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A service under test in this process, with its own merchants. */
export async function startTarget({ underTest, through, env }: TargetOptions = {}): Promise<Target> {
  const cleanUp = new AsyncDisposableStack();
  try {
    const { service, overloadedUrl, letPass } = underTest ?? cleanUp.use(await startServiceUnderTest(env));
    const watcher = new Client(service.databaseUrl);
    await watcher.connect();
    cleanUp.defer(() => watcher.end());

    const steps = new Steps();
    const url = through === undefined ? service.url : await through(service.url);
    const merchants = new Map<string, Promise<ContractMerchant>>();
    const merchantOf = (operationId: string) => {
      const merchant = merchants.get(operationId) ?? openMerchant(service, { url, steps });
      merchants.set(operationId, merchant);
      return merchant;
    };
    return {
      url,
      steps,
      overloadedUrl,
      merchantOf,
      usedUpKey: usedUpKeys(service, () => merchantOf('a rate limit of 1')),
      notApprovedKey: async () => {
        const { apiKey, merchantId } = await merchantOf('an account that is not approved');
        await changeMerchant(service.deps, merchantId, { status: 'pending' });
        return apiKey;
      },
      usedUpPage: usedUpPages(service, () => merchantOf('a page whose buyer makes too many requests')),
      notApprovedPage: async () => {
        const merchant = await merchantOf('a page of an account that is not approved');
        const { hash } = await newLink(merchant);
        await changeMerchant(service.deps, merchant.merchantId, { status: 'pending' });
        return hash;
      },
      usedUpAddress: () => usedUpAddress(service),
      providerWithoutCertificate: TRUSTED.WALLET_PROVIDER_HOSTS,
      lock: (table) => lockTable(service.databaseUrl, table),
      letPass,
      hasBegun: async (key) => {
        // The keys of buyers have the hash of their page before them.
        const { rowCount } = await watcher.query(
          'select from idempotency_keys where $1 = any(array[key, split_part(key, chr(9), 2)])',
          [key],
        );
        return rowCount === 1;
      },
      [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
    };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
}

function startOverloaded(service: TestService): Promise<Service> {
  const config = readConfig({
    PORT: '0',
    INTERNAL_PORT: '0',
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.dataDir,
    ROLE: 'api',
    ...NO_ACQUIRER,
  });
  const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };
  // The configuration does not allow 0.
  return startService({ ...config, maxInFlight: 0 }, silent);
}

function usedUpKeys(
  service: TestService,
  merchantOf: () => Promise<ContractMerchant>,
): () => Promise<string> {
  let limited: Promise<ContractMerchant> | undefined;
  const limit = async () => {
    const merchant = await merchantOf();
    await changeMerchant(service.deps, merchant.merchantId, { rateLimitPerMinute: 1 });
    return merchant;
  };
  return async () => {
    limited ??= limit();
    const merchant = await limited;
    await until('the minute of the key is used up and does not end in the next second', async () => {
      const { status, headers } = await merchant.try('GET', '/merchant');
      return status === 429 && Number(headers.get('ratelimit-reset')) > 1;
    });
    return merchant.apiKey;
  };
}

function newLink(merchant: ContractMerchant): Promise<Json> {
  return merchant.call('POST', '/payment-links', { body: linkBody() });
}

/** The page of a recurring link, and a subscription that was started there. */
async function newSubscription(merchant: ContractMerchant) {
  const fields = { recurrence_interval: 'monthly', payment_methods: ['credit_card'] };
  const { hash: page } = await merchant.call('POST', '/payment-links', { body: linkBody(fields) });
  const { recurrence, card_encryption_key: key } = await merchant.call('GET', `/checkout/${page}`, {
    key: null,
  });
  const body = {
    payment_method: 'credit_card',
    terms: recurrence.terms,
    customer: customerBody(),
    credit_card: { encrypted: await encryptJwe(cardDocument(VISA), key.jwk) },
  };
  const { hash: subscription } = await merchant.call('POST', `/checkout/${page}/subscriptions`, {
    key: null,
    body,
  });
  return { page, subscription };
}

function usedUpPages(
  service: TestService,
  merchantOf: () => Promise<ContractMerchant>,
): Target['usedUpPage'] {
  let limited: ReturnType<typeof limit> | undefined;
  const limit = async () => {
    const merchant = await merchantOf();
    const { hash: page } = await newLink(merchant);
    const body = { payment_method: 'pix', customer: customerBody() };
    const { hash: payment } = await merchant.call('POST', `/checkout/${page}/payments`, { key: null, body });
    const { page: recurring, subscription } = await newSubscription(merchant);
    return { page, payment, recurring, subscription };
  };
  return async () => {
    limited ??= limit();
    const hashes = await limited;
    const merchant = await merchantOf();
    await until('the minute of both pages is used up and does not end in the next second', async () => {
      await useUpRequests(service, merchant.merchantId);
      const answers = await Promise.all(
        [hashes.page, hashes.recurring].map((hash) =>
          merchant.try('GET', `/checkout/${hash}`, { key: null }),
        ),
      );
      return answers.every(
        ({ status, headers }) => status === 429 && Number(headers.get('ratelimit-reset')) > 1,
      );
    });
    return hashes;
  };
}

async function usedUpAddress(service: TestService): Promise<string> {
  await until('the minute of the address is used up and does not end in the next second', async () => {
    const { status, headers } = await service.call('POST', '/mobile-wallet/validate-session', {
      key: null,
      headers: { 'X-Forwarded-For': CLIENT_ADDRESS },
      body: {},
    });
    return status === 429 && Number(headers.get('ratelimit-reset')) > 1;
  });
  return CLIENT_ADDRESS;
}

async function lockTable(databaseUrl: string, table: string): Promise<() => Promise<void>> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = ${LONGEST_WAIT_FOR_A_TABLE_MS}`);
    await client.query(`lock table ${client.escapeIdentifier(table)} in access exclusive mode`);
  } catch (error) {
    await client.end();
    throw error;
  }
  return async () => {
    await client.query('rollback').finally(() => client.end());
  };
}
