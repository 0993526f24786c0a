import { relative } from 'node:path';
import type { OnboardedMerchant } from '../../services/merchants/create-merchant.ts';
import { startTamperingProxy } from '../../test/contract/dredd/tampering-proxy.ts';
import { companyBody } from '../../test/support/orders/parties.ts';
import type { TestService } from '../../test/support/service.ts';
import { add, type Counts, NOTHING_RAN } from '../test/counts.ts';
import { generateClient } from './generate.ts';
import { faultOf } from './generator.ts';
import { LANGUAGES } from './languages.ts';
import { ROOT } from './places.ts';
import { runCommand } from './run-command.ts';
import { CHAPTERS, missingChapters, STORY_OF } from './stories.ts';
import type { Story } from './story.ts';

const BUILD_TIMEOUT_MS = 40 * 60_000;
const STORY_TIMEOUT_MS = 5 * 60_000;

/** The result of a story: its counts, and the lines to print. */
export interface StoryEnd {
  readonly counts: Counts;
  readonly report: readonly string[];
}

/**
 * Generates the client, compiles it with its story, runs its check, runs the story against the service, and compares
 * the service's records with the story. For a language without a story, only the client is generated.
 */
export async function runStory(
  name: string,
  version: string,
  service: TestService,
  signal: AbortSignal,
): Promise<StoryEnd> {
  const story = STORY_OF[name];
  if (story === undefined) return generateAlone(name, version);
  const missing = await missingTool(name, story);
  if (missing !== null) return skipped(missing);
  const started_ms = performance.now();
  if (name in LANGUAGES) await generateClient(name, version);
  const merchant = await service.newMerchant({ name: `Loja ${name}` });
  await addRecipients(service, merchant);
  const env = {
    CENTAVO_URL: service.url,
    CENTAVO_KEY: merchant.apiKey,
    CENTAVO_ENCRYPTION_KEY: merchant.encryptionKey,
  };
  const commands = [...story.build, ...(story.check === undefined ? [] : [story.check])];
  for (const command of commands) {
    const { status, output, errors } = await runCommand(command, env, BUILD_TIMEOUT_MS, signal);
    if (status === 0) continue;
    const fault = command === story.check ? 'The check fails' : 'The client does not compile';
    return failed(name, [`${fault}: ${command}`, output, errors]);
  }
  // One for the compilation, and one for the check.
  const built = { ...NOTHING_RAN, passed: story.check === undefined ? 1 : 2 };
  const compiled = `✔ ${name}: compiled`;
  if (story.run === undefined) {
    return { counts: built, report: [`${compiled} and checked (${secondsSince(started_ms)} s)`] };
  }
  const compiled_s = secondsSince(started_ms);
  const wrong = await faultsOfStory(story.run, env, service, merchant, signal);
  if (wrong.length > 0) return failed(name, wrong);
  // One for each chapter, and one for the service's records.
  const chapters = { ...NOTHING_RAN, passed: CHAPTERS.length + 1 };
  return {
    counts: add(built, chapters),
    report: [`${compiled}, story of ${CHAPTERS.length} chapters passed (${compiled_s} s)`],
  };
}

/** One sentence about the first tool of the story that is missing; null when all are installed. */
async function missingTool(name: string, { tools }: Story): Promise<string | null> {
  for (const { command, asks, what } of tools) {
    const fault = await faultOf(command, asks);
    if (fault === null) continue;
    return `SKIPPED ${name}: ${command} ${fault}. Install ${what}, then run \`make test-clients CLIENT=${name}\`.`;
  }
  return null;
}

/** Runs the story. Returns one sentence for each chapter and each record of the service that is wrong. */
async function faultsOfStory(
  run: string,
  env: Readonly<Record<string, string>>,
  service: TestService,
  merchant: OnboardedMerchant,
  signal: AbortSignal,
): Promise<string[]> {
  await using later = await startTamperingProxy(service.url, [LATER_VERSION]);
  const withLater = { ...env, CENTAVO_LATER_URL: later.url };
  const { status, output, errors } = await runCommand(run, withLater, STORY_TIMEOUT_MS, signal);
  return [
    ...(status === 0 ? [] : [`The story ended with ${status}.`, errors]),
    ...missingChapters(output),
    ...(await faultsOfRecords(service, merchant)),
    ...(later.changed() === 1 ? [] : ['The client read no answer of a later version.']),
  ];
}

async function generateAlone(name: string, version: string): Promise<StoryEnd> {
  const { folder } = await generateClient(name, version);
  const report = [`✔ ${name}: ${relative(ROOT, folder)} generated; there is no story for it`];
  return { counts: { ...NOTHING_RAN, passed: 1 }, report };
}

/** The result of a skipped story. `line` says why it was skipped. */
export function skipped(line: string): StoryEnd {
  return { counts: { ...NOTHING_RAN, skipped: 1 }, report: [line] };
}

function failed(name: string, reasons: readonly string[]): StoryEnd {
  return { counts: { ...NOTHING_RAN, failed: 1 }, report: [`✖ ${name}`, ...reasons] };
}

/** Adds a status and fields of a later version, which the clients do not know, to an answer. */
const LATER_VERSION: Parameters<typeof startTamperingProxy>[1][number] = {
  of: ['GET', /^\/payments\//, 200],
  change: ({ body }) => {
    body.status = 'in_review';
    body.risk = { score: 12, rules: ['new_customer'] };
    body.pix.payer_bank = 'Banco de Amanhã';
    body.history.push({ ...body.history.at(-1), status: 'in_review' });
  },
};

/** The story shares a payment between two recipients of the account. */
async function addRecipients(service: TestService, { apiKey: key }: OnboardedMerchant): Promise<void> {
  for (const external_reference of ['teacher', 'producer']) {
    const { status, text } = await service.call('POST', '/recipients', {
      key,
      body: companyBody({ external_reference }),
    });
    if (status !== 201) throw new Error(`A recipient was not created: ${text}`);
  }
}

/** Compares the service's records with what the story does. */
async function faultsOfRecords(service: TestService, { apiKey }: OnboardedMerchant): Promise<string[]> {
  const { body } = await service.call('GET', '/payments', { key: apiKey });
  const found = body.data.map(
    (payment: { payment_method: string; status: string; refunded_amount: number }) =>
      `${payment.payment_method} ${payment.status} ${payment.refunded_amount}`,
  );
  const records = found.join(', ');
  const expected = 'bank_slip waiting_payment 0, pix paid 0, credit_card partially_refunded 1990';
  return records === expected
    ? []
    : [`The service has the payments ${records}, and should have ${expected}.`];
}

function secondsSince(started_ms: number): string {
  return ((performance.now() - started_ms) / 1_000).toFixed(0);
}
