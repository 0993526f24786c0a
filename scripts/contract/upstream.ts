import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseApiKey } from '../../domain/merchants/api-key.ts';
import { rootAddress } from '../root-address.ts';

/** A running sandbox to check, and one of its merchants. */
export interface Upstream {
  /** Root of the service. */
  readonly url: string;
  readonly apiKey: string;
  readonly merchantId: string;
  readonly merchantName: string;
  /** Whether the run may move the merchant's clock and delete all of its data. */
  readonly mayReset: boolean;
}

interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly merchant_codes: readonly { readonly code: string }[];
  readonly payment_methods: readonly string[];
}

const ANSWER_TIMEOUT_MS = 30_000;
/** A run sends about 400 requests within a minute. */
const NEEDED_PER_MINUTE = 1_000;
const NEEDED_METHODS = ['credit_card', 'pix'];
const NEEDED_CODE = '5734';
const WHERE_KEYS_ARE = '`make start` prints the one of the demo merchant';

/**
 * Checks that a running service is a sandbox that the contract can be tested against, before anything is changed there.
 * The key is API_KEY, else that of the demo merchant in DATA_DIR. Throws a sentence for people when it is not. A
 * production key is refused before it is sent.
 */
export async function openUpstream(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Upstream> {
  const url = rootAddress(address);
  const apiKey = env.API_KEY || (await demoKey(env.DATA_DIR || '.data'));
  if (apiKey === null) {
    throw new Error(`Set API_KEY to a sandbox key of ${url} with all permissions: ${WHERE_KEYS_ARE}.`);
  }
  const key = parseApiKey(apiKey);
  if (key === null) throw new Error('API_KEY is not a key of this API: its form or its checksum is wrong.');
  if (key.environment === 'production') {
    throw new Error('API_KEY is a production key. A run takes payments, so it needs a sandbox.');
  }
  const clock = await ask(url, apiKey, '/sandbox/clock');
  if (clock.status === 404) {
    throw new Error(`${url} has no sandbox operations: it is in production, or another service.`);
  }
  if (clock.status !== 200) {
    throw new Error(`${url} does not accept the key: GET /sandbox/clock was answered with ${clock.status}.`);
  }
  const { merchant, perMinute } = await readMerchant(url, apiKey);
  const fault = faultOf(merchant, perMinute);
  if (fault !== null) throw new Error(`The merchant of the key cannot be used: ${fault}.`);
  return {
    url,
    apiKey,
    merchantId: merchant.id,
    merchantName: merchant.name,
    mayReset: env.RESET === 'yes',
  };
}

/** The key of the demo merchant; null when no service has been started here. */
async function demoKey(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, 'demo.json'), 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text).apiKey;
}

async function readMerchant(url: string, apiKey: string) {
  const answer = await ask(url, apiKey, '/merchant');
  const merchant = (await answer.json().catch(() => null)) as Merchant | null;
  if (answer.status !== 200 || !Array.isArray(merchant?.merchant_codes)) {
    throw new Error(`${url} is not this API, or the key may not read its merchant: ${answer.status}.`);
  }
  return { merchant, perMinute: Number(answer.headers.get('ratelimit-limit') ?? Infinity) };
}

async function ask(url: string, apiKey: string, path: string): Promise<Response> {
  const init: RequestInit = {
    headers: { authorization: `Bearer ${apiKey}` },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  };
  return fetch(`${url}/api/v1${path}`, init).catch((error: Error & { cause?: Error }) => {
    throw new Error(`${url} does not answer: ${error.cause?.message ?? error.message}.`);
  });
}

/** What the merchant lacks for the recipes; null when nothing. */
function faultOf(merchant: Merchant, perMinute: number): string | null {
  const { status, payment_methods: methods, merchant_codes: codes } = merchant;
  if (status !== 'approved') return `its status is ${status}, not approved`;
  const missing = NEEDED_METHODS.filter((method) => !methods.includes(method));
  if (missing.length > 0) return `it lacks the payment methods ${missing.join(', ')}`;
  if (!codes.some(({ code }) => code === NEEDED_CODE)) return `it lacks the merchant code ${NEEDED_CODE}`;
  if (perMinute >= NEEDED_PER_MINUTE) return null;
  return `it may make ${perMinute} requests a minute, and ${NEEDED_PER_MINUTE} are needed`;
}
