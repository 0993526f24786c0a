/**
 * Tests the partners' clients: generates each, compiles it, and runs the story in test/clients against a sandbox that
 * it starts. The last line is `N passed, N failed`. A client whose tools are missing is skipped with one line, which
 * counts as a failure with CI=true.
 *
 * Usage: make test-clients [CLIENT=<language or generator>]
 *        node scripts/test-clients.ts [<language or generator> …]
 */
import { startTestService, type TestService } from '../test/support/service.ts';
import { fetchGenerator } from './clients/generator.ts';
import { LANGUAGES } from './clients/languages.ts';
import { runStory, type StoryEnd, skipped } from './clients/run-story.ts';
import { STORY_OF } from './clients/stories.ts';
import { add, type Counts, isGood, NOTHING_RAN, plainLine, withoutSkips } from './test/counts.ts';

const AT_A_TIME = 2;

// The slowest without a cache come first, as two run at a time.
const known = [...new Set([...Object.keys(STORY_OF), ...Object.keys(LANGUAGES)])];
const names = process.argv.length > 2 ? process.argv.slice(2) : known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no client named ${unknown.join(', ')}. The clients are ${known.join(', ')}.`);
  process.exit(1);
}
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

let counts = await testClients();
if (stop.signal.aborted) process.exit(130);
if (process.env.CI === 'true') counts = withoutSkips(counts);
console.log(plainLine(counts));
process.exit(isGood(counts) ? 0 : 1);

async function testClients(): Promise<Counts> {
  const needsGenerator = names.some((name) => name in LANGUAGES);
  const version = needsGenerator ? await fetchGenerator().catch((error: Error) => error) : '';
  await using service = await startTestService();
  const waiting = [...names];
  const counts = await Promise.all(Array.from({ length: AT_A_TIME }, () => work(waiting, version, service)));
  return counts.reduce(add, NOTHING_RAN);
}

/** Runs stories until the list is empty. `version` is openapi-generator's, or the reason why it is missing. */
async function work(waiting: string[], version: string | Error, service: TestService): Promise<Counts> {
  let counts = NOTHING_RAN;
  for (let name = waiting.shift(); name !== undefined && !stop.signal.aborted; name = waiting.shift()) {
    const end = await runOne(name, version, service);
    if (stop.signal.aborted) break;
    console.log(end.report.filter((line) => line !== '').join('\n'));
    counts = add(counts, end.counts);
  }
  return counts;
}

async function runOne(name: string, version: string | Error, service: TestService): Promise<StoryEnd> {
  if (version instanceof Error && name in LANGUAGES) return skipped(`SKIPPED ${name}: ${version.message}`);
  try {
    return await runStory(name, String(version), service, stop.signal);
  } catch (error) {
    const { stack, message } = error as Error;
    return { counts: { ...NOTHING_RAN, failed: 1 }, report: [`✖ ${name}`, stack ?? message] };
  }
}
