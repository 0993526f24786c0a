import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LANGUAGES } from '../../scripts/clients/languages.ts';
import { OTHER_GENERATORS } from '../../scripts/clients/other-generators.ts';
import { PARTNERS_PAGE, withStories } from '../../scripts/clients/partners-page.ts';
import { ROOT } from '../../scripts/clients/places.ts';
import { missingChapters, STORY_OF } from '../../scripts/clients/stories.ts';

const page = readFileSync(PARTNERS_PAGE, 'utf8');

test('the page shows the very stories that are run, and the commands that run them', () => {
  assert.equal(withStories(page), page, 'node scripts/write-partners-page.ts brings the page up to date');
  for (const [name, { source, build, run }] of Object.entries(STORY_OF)) {
    const commands = [...build, ...(run === undefined ? [] : [run])];
    assert.ok(page.includes(`\n${commands.join('\n')}\n\`\`\``), name);
    if (source === undefined) continue;
    const story = `story ${name}\n${readFileSync(join(ROOT, source), 'utf8')}\`\`\``;
    assert.ok(page.includes(name in LANGUAGES ? story : `The story is \`${source}\``), source);
  }
});

test('an old story on the page is brought up to date, and one in no language we tell is refused', () => {
  const old = page.replace('console.log(`customer:', 'console.log(`buyer:');
  assert.notEqual(old, page);
  assert.equal(withStories(old), page);
  assert.throws(() => withStories('```cobol story cobol\n```'), /No story is told in cobol/);
  assert.throws(() => withStories('```ts story orval\n```'), /No story is told in orval/);
});

test('the page names every language that make clients generates', () => {
  const table = [...page.matchAll(/^\| .+ \| `([a-z-]+)`.* \| `clients\/([a-z]+)` \|$/gm)];
  assert.deepEqual(
    Object.fromEntries(table.map(([, generator, name]) => [name, generator])),
    Object.fromEntries(Object.entries(LANGUAGES).map(([name, { generator }]) => [name, generator])),
  );
});

test('the page names the document for generators, and the options that Go cannot do without', () => {
  const [, told = ''] = /^With a generator of your own, (.*?)\n\n/ms.exec(page) ?? [];
  assert.ok(told.includes('(/openapi-clients.json)'), told);
  const { enumClassPrefix, disallowAdditionalPropertiesIfNotPresent } = LANGUAGES.go!.options;
  assert.deepEqual([enumClassPrefix, disallowAdditionalPropertiesIfNotPresent], [true, false]);
  assert.match(
    told,
    /without `enumClassPrefix`.+unless\s`disallowAdditionalPropertiesIfNotPresent` is false/s,
  );
});

test('the other generators that the page names leave out what is not set, and of the rest it tells to look', () => {
  const example = /^make clients LANG=(\w+) +# or any other generator/m.exec(page)?.[1];
  assert.equal(example, 'kotlin');
  // Its clients write null and empty lists for what is left out: an update then takes a customer's documents away.
  assert.doesNotMatch(page, /\bdart\b/i);
  assert.match(page, /whether\sit\sleaves\sout\swhat\sis\snot\sset/);
});

test('the commands for a project of your own are those of the stories, in the same versions', () => {
  const url = 'http://127.0.0.1:3000/openapi-clients.json';
  const shown = [...page.matchAll(/^(npx|go run) (\S+) (.*)$/gm)].map(([, , tool, args]) => {
    const [name = '', version] = tool!.startsWith('@') ? [tool] : tool!.split('@');
    return { name: name.split('/').at(-1)!, version, args: args!.split(' ') };
  });
  const own = shown.filter(({ args }) => args.includes(url));
  const built = Object.keys(OTHER_GENERATORS).map((name) => OTHER_GENERATORS[name]!.build.join('\n'));
  assert.equal(own.length, built.length);
  for (const { name, version, args } of own) {
    const story = built.find((commands) => commands.includes(`${name} `));
    assert.ok(story, name);
    const options = args.filter((arg) => arg !== url && !arg.startsWith('centavo'));
    for (const option of options) assert.ok(story.includes(option), `${name} ${option}`);
    const module = readFileSync(join(ROOT, 'test/clients/oapi-codegen/go.mod'), 'utf8');
    if (version !== undefined) assert.ok(module.includes(`${name}/v2 ${version}`), version);
  }
});

test('what the page says that a story tells is what is asked of one', () => {
  const [, told] = /tells the same:\n\n```text\n(.*?)```/s.exec(page)!;
  const later = told!.replace('later: paid', 'later: in_review');
  assert.deepEqual(missingChapters(later), []);
  assert.equal(missingChapters(told!).length, 1, 'a client that reads no later version is caught');
  assert.equal(missingChapters(later.replace('partially_refunded', 'paid')).length, 1);
  assert.equal(missingChapters(`${later}and more\n`).length, 1);
  assert.equal(missingChapters('').length, 9);
});
