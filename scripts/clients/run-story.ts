import { relative } from 'node:path';
import type { OnboardedMerchant } from '../../services/create-merchant.ts';
import { startTamperingProxy } from '../../test/contract/dredd/tampering-proxy.ts';
import type { TestService } from '../../test/support/service.ts';
import { type Counts, NOTHING_RAN } from '../test/counts.ts';
import { generateClient } from './generate.ts';
import { faultOf } from './generator.ts';
import { ROOT } from './places.ts';
import { runCommand } from './run-command.ts';
import { CHAPTERS, missingChapters, STORY_OF } from './stories.ts';

const BUILD_TIMEOUT_MS = 10 * 60_000;
const STORY_TIMEOUT_MS = 60_000;

/** What the story of one language came to: what it counts, and the lines to print. */
export interface StoryEnd {
  readonly counts: Counts;
  readonly report: readonly string[];
}

/**
 * Generates the client, compiles it with its story, makes its check, runs the story against the service, and asks the service what is true.
 * Where no story is told in the language, the client is generated and no more.
 */
export async function runStory(
  name: string,
  version: string,
  service: TestService,
  signal: AbortSignal,
): Promise<StoryEnd> {
  const story = STORY_OF[name];
  if (story === undefined) return generateAlone(name, version);
  const { tools, build, run, check } = story;
  for (const { command, asks, what } of tools) {
    const fault = await faultOf(command, asks);
    if (fault === null) continue;
    const loud = `SKIPPED ${name}: ${command} ${fault}. Install ${what}, then run \`make test-clients CLIENT=${name}\`.`;
    return { counts: { ...NOTHING_RAN, skipped: 1 }, report: [loud] };
  }
  const started_ms = performance.now();
  const { folder } = await generateClient(name, version);
  for (const command of build) {
    const { status, output, errors } = await runCommand(command, {}, BUILD_TIMEOUT_MS, signal);
    if (status !== 0) return failed(name, [`It does not compile: ${command}`, output, errors]);
  }
  if (check !== undefined) {
    const { status, output, errors } = await runCommand(check, {}, BUILD_TIMEOUT_MS, signal);
    if (status !== 0) return failed(name, [`It does not do what it must: ${check}`, output, errors]);
  }
  const compiled_s = secondsSince(started_ms);
  const merchant = await service.newMerchant({ name: `Loja ${name}` });
  await using later = await startTamperingProxy(service.url, [LATER_VERSION]);
  const { status, output, errors } = await runCommand(
    run,
    {
      CENTAVO_URL: service.url,
      CENTAVO_LATER_URL: later.url,
      CENTAVO_KEY: merchant.apiKey,
      CENTAVO_ENCRYPTION_KEY: merchant.encryptionKey,
    },
    STORY_TIMEOUT_MS,
    signal,
  );
  const wrong = [
    ...(status === 0 ? [] : [`The story ended with ${status}.`, errors]),
    ...missingChapters(output),
    ...(await wrongInBooks(service, merchant)),
    ...(later.changed() === 1 ? [] : ['No answer of a later version was read.']),
  ];
  if (wrong.length > 0) return failed(name, wrong);
  const places = relative(ROOT, folder);
  const report = [
    `✔ ${name}: ${places} compiled, story of ${CHAPTERS.length} chapters told (${compiled_s} s)`,
  ];
  // The client that compiles, its check, each chapter, and the service's own word.
  const passed = CHAPTERS.length + (check === undefined ? 2 : 3);
  return { counts: { ...NOTHING_RAN, passed }, report };
}

async function generateAlone(name: string, version: string): Promise<StoryEnd> {
  const { folder } = await generateClient(name, version);
  const report = [`✔ ${name}: ${relative(ROOT, folder)} generated; no story is told in it`];
  return { counts: { ...NOTHING_RAN, passed: 1 }, report };
}

function failed(name: string, reasons: readonly string[]): StoryEnd {
  return { counts: { ...NOTHING_RAN, failed: 1 }, report: [`✖ ${name}`, ...reasons] };
}

/** A status and fields that no client of today knows, in an answer that is otherwise as it was. */
const LATER_VERSION: Parameters<typeof startTamperingProxy>[1][number] = {
  of: ['GET', /^\/payments\//, 200],
  change: ({ body }) => {
    body.status = 'in_review';
    body.risk = { score: 12, rules: ['new_customer'] };
    body.pix.payer_bank = 'Banco de Amanhã';
    body.history.push({ ...body.history.at(-1), status: 'in_review' });
  },
};

/** What the story says happened, held against what the service says. */
async function wrongInBooks(service: TestService, { apiKey }: OnboardedMerchant): Promise<string[]> {
  const { body } = await service.call('GET', '/payments', { key: apiKey });
  const found = body.data.map(
    (payment: { payment_method: string; status: string; refunded_amount: number }) =>
      `${payment.payment_method} ${payment.status} ${payment.refunded_amount}`,
  );
  const books = found.join(', ');
  const expected = 'pix paid 0, credit_card partially_refunded 1990';
  return books === expected ? [] : [`The service knows of: ${books}; and not of: ${expected}`];
}

function secondsSince(started_ms: number): string {
  return ((performance.now() - started_ms) / 1_000).toFixed(0);
}
