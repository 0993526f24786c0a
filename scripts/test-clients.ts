/**
 * Proves the partners' clients: generates each, compiles it, and runs the story in test/clients against a sandbox that
 * it starts by itself. Ends with `N passed, N failed`. A language whose tools are not here is skipped with one line;
 * with CI=true that is a failure.
 *
 * Usage: make test-clients [CLIENT=<language>]
 *        node scripts/test-clients.ts [<language> …]
 */
import { startTestService, type TestService } from '../test/support/service.ts';
import { fetchGenerator } from './clients/generator.ts';
import { LANGUAGES } from './clients/languages.ts';
import { runStory } from './clients/run-story.ts';
import { STORY_OF } from './clients/stories.ts';
import { add, type Counts, isGood, NOTHING_RAN, plainLine, withoutSkips } from './test/counts.ts';

const AT_A_TIME = 2;

// Stories lead, slowest from cold first: two run at a time.
const known = [...new Set([...Object.keys(STORY_OF), ...Object.keys(LANGUAGES)])];
const names = process.argv.length > 2 ? process.argv.slice(2) : known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no client called ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(1);
}
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

let counts = await proveClients();
if (stop.signal.aborted) process.exit(130);
if (process.env.CI === 'true') counts = withoutSkips(counts);
console.log(plainLine(counts));
process.exit(isGood(counts) ? 0 : 1);

async function proveClients(): Promise<Counts> {
  let version: string;
  try {
    version = await fetchGenerator();
  } catch (error) {
    console.log(`SKIPPED all clients: ${(error as Error).message}`);
    return { ...NOTHING_RAN, skipped: names.length };
  }
  await using service = await startTestService();
  const waiting = [...names];
  const counts = await Promise.all(Array.from({ length: AT_A_TIME }, () => work(waiting, version, service)));
  return counts.reduce(add, NOTHING_RAN);
}

/** Tells stories until none waits. */
async function work(waiting: string[], version: string, service: TestService): Promise<Counts> {
  let counts = NOTHING_RAN;
  for (let name = waiting.shift(); name !== undefined && !stop.signal.aborted; name = waiting.shift()) {
    const end = await runStory(name, version, service, stop.signal).catch((error: Error) => ({
      counts: { ...NOTHING_RAN, failed: 1 },
      report: [`✖ ${name}`, error.stack ?? error.message],
    }));
    if (stop.signal.aborted) break;
    console.log(end.report.filter((line) => line !== '').join('\n'));
    counts = add(counts, end.counts);
  }
  return counts;
}
