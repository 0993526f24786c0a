import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OnboardedMerchant } from '../../services/merchants/create-merchant.ts';
import { type Guide, readGuides } from '../../web/guides.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { differences, type Ran, runSamples, type Sample, samplesOf } from './support/guide-samples.ts';

/** The faults of a sample that has run; empty if it works as its guide says. */
function faults(sample: Sample, { stdout, stderr, statuses }: Ran): string[] {
  const last = statuses.at(-1);
  const isOk = (status: number) => status >= 200 && status < 300;
  const earlier = statuses.slice(0, -1).filter((status) => !isOk(status));
  const ended = last === undefined || (sample.status === null ? isOk(last) : last === sample.status);
  return [
    ...(stderr === '' ? [] : [stderr]),
    ...(sample.language === 'js' || statuses.length > 0 ? [] : ['It sent no request.']),
    ...earlier.map((status) => `An earlier request was answered ${status}.`),
    ...(ended ? [] : [`It was answered ${last}, not ${sample.status ?? '2xx'}: ${stdout}`]),
    ...(sample.shown === undefined || !ended ? [] : differences(sample.shown, lastDocument(stdout))),
  ];
}

/** A sample can print several answers. The guide shows the last one. */
function lastDocument(stdout: string): unknown {
  const at = stdout.lastIndexOf('}{');
  return JSON.parse(at < 0 ? stdout : stdout.slice(at + 1));
}

describe('every sample of the guides works unchanged', { concurrency: 3 }, async () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());

  async function run(markdown: string, merchant?: OnboardedMerchant): Promise<string[]> {
    const samples = samplesOf(markdown);
    const { apiKey, encryptionKey } = merchant ?? (await service.newMerchant());
    const env = { BASE_URL: `${service.url}/api/v1`, API_KEY: apiKey, ENCRYPTION_KEY: encryptionKey };
    const ran = await runSamples(samples, env);
    return samples.flatMap((sample, i) =>
      faults(sample, ran[i]!).map((fault) => `line ${sample.line}: ${fault}`),
    );
  }

  // The partners' programs are run by a test of their own: their page has no sample of these two kinds.
  const guides = (await readGuides()).filter(({ markdown }) => samplesOf(markdown).length > 0);
  test('the samples are found', () => assert.ok(guides.length >= 11));
  for (const guide of guides) {
    test(guide.title, async () => {
      assert.deepEqual(await run(guide.markdown), []);
    });
  }

  test('all guides work one after another with the same key, and the first one again', async () => {
    const merchant = await service.newMerchant();
    const [first] = guides as [Guide];
    for (const { title, markdown } of [first, ...guides]) {
      // The answers that the guides show are those of an empty sandbox.
      const withoutAnswers = markdown.replaceAll(/^```json$/gm, '```text');
      assert.deepEqual(await run(withoutAnswers, merchant), [], title);
    }
  });

  test('no line is wider than its box on a desktop', () => {
    // The partners' programs have longer lines, as in test/clients.
    const own = guides.filter(({ slug }) => slug !== 'partners');
    const fences = own.flatMap(({ slug, markdown }) =>
      [...markdown.matchAll(/^```.*?\n(.*?)^```$/gms)].map(([, text]) => ({
        slug,
        lines: text!.split('\n'),
      })),
    );
    const wide = fences.flatMap(({ slug, lines }) =>
      lines.filter((line) => line.length > 98).map((line) => `${slug}: ${line}`),
    );
    assert.deepEqual(wide, []);
  });

  describe('a wrong sample fails', { concurrency: 3 }, () => {
    const sample = (text: string, info = 'sh') => `\`\`\`${info}\n${text}\n\`\`\`\n`;
    const curl = 'curl -s "$BASE_URL/merchant" -H "Authorization: Bearer $API_KEY"';
    const broken: [string, string, RegExp][] = [
      ['another status', sample(curl, 'sh status=422'), /answered 200, not 422/],
      ['an error', sample('curl -s "$BASE_URL/nothing" -H "Authorization: Bearer $API_KEY"'), /answered 404/],
      ['an earlier error', sample(`curl -s "$BASE_URL/nothing"\n${curl}`), /An earlier request was answered/],
      ['a misspelled command', sample(`${curl} | nod -p 1`), /nod: command not found/],
      ['a script that throws', sample('throw new Error("no");', 'js'), /Error: no/],
      ['no request at all', sample('true'), /sent no request/],
      ['another value', `${sample(curl)}\n${sample('{"status": "gone"}', 'json')}`, /\.status is "approved"/],
      ['a value that is not there', `${sample(curl)}\n${sample('{"x": "…"}', 'json')}`, /\.x is no text/],
    ];
    for (const [what, markdown, expected] of broken) {
      test(what, async () => {
        const found = await run(markdown);
        assert.equal(found.length, 1, String(found));
        assert.match(found[0]!, expected);
      });
    }
  });
});
