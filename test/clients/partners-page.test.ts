import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LANGUAGES } from '../../scripts/clients/languages.ts';
import { OTHER_GENERATORS } from '../../scripts/clients/other-generators.ts';
import { PARTNERS_PAGE, withStories } from '../../scripts/clients/partners-page.ts';
import { ROOT } from '../../scripts/clients/places.ts';
import { CHAPTERS, missingChapters, STORY_OF } from '../../scripts/clients/stories.ts';

const page = readFileSync(PARTNERS_PAGE, 'utf8');

test('the page shows the programs that are tested, and the commands that run them', () => {
  assert.equal(withStories(page), page, 'node scripts/write-partners-page.ts brings the page up to date');
  for (const [name, { source, build, run }] of Object.entries(STORY_OF)) {
    const commands = [...build, ...(run === undefined ? [] : [run])];
    assert.ok(page.includes(`\n${commands.join('\n')}\n\`\`\``), name);
    if (source === undefined) continue;
    const story = `story ${name}\n${readFileSync(join(ROOT, source), 'utf8')}\`\`\``;
    assert.ok(page.includes(name in LANGUAGES ? story : `The program is \`${source}\``), source);
  }
});

test('an old program on the page is updated, and one in an unknown language is refused', () => {
  const old = page.replace('console.log(`customer:', 'console.log(`buyer:');
  assert.notEqual(old, page);
  assert.equal(withStories(old), page);
  assert.throws(() => withStories('```cobol story cobol\n```'), /There is no story for cobol/);
  assert.throws(() => withStories('```ts story orval\n```'), /There is no story for orval/);
});

test('the page lists every language of make clients', () => {
  const table = [...page.matchAll(/^\| .+ \| `([a-z-]+)`.* \| `clients\/([a-z]+)` \|$/gm)];
  assert.deepEqual(
    Object.fromEntries(table.map(([, generator, name]) => [name, generator])),
    Object.fromEntries(Object.entries(LANGUAGES).map(([name, { generator }]) => [name, generator])),
  );
});

test('the page names the document for generators, and the options that Go needs', () => {
  const [, paragraph = ''] = /^For other generators, use (.*?)\n\n/ms.exec(page) ?? [];
  assert.ok(paragraph.includes('(/openapi-clients.json)'), paragraph);
  const { options } = LANGUAGES.go!;
  assert.equal(options.enumClassPrefix, true);
  assert.equal(options.disallowAdditionalPropertiesIfNotPresent, false);
  for (const name of ['enumClassPrefix', 'disallowAdditionalPropertiesIfNotPresent']) {
    assert.ok(paragraph.includes(`\`${name}=${options[name]}\``), `${name}: ${paragraph}`);
  }
});

test('the page says which generators omit unset fields, and to check the others', () => {
  const example = /^make clients LANG=(\w+) +# or any other generator/m.exec(page)?.[1];
  assert.equal(example, 'kotlin');
  // Its clients write null and empty lists for what is left out: an update then takes a customer's documents away.
  assert.doesNotMatch(page, /\bdart\b/i);
  assert.match(page, /whether\sit\somits\sfields\sthat\sare\snot\sset/);
});

test('the commands for a project of your own are those of the programs, with the same versions', () => {
  const url = 'http://127.0.0.1:3000/openapi-clients.json';
  const shown = [...page.matchAll(/^(?:npx|go run) .*$/gm)].map(([command]) => command);
  const own = shown.filter((command) => command.includes(` ${url}`));
  const built = Object.keys(OTHER_GENERATORS).map((name) => OTHER_GENERATORS[name]!.build.join('\n'));
  assert.equal(own.length, built.length);
  for (const command of own) {
    const { packages, tool, args } = readCommand(command);
    for (const [name, version] of packages) assert.equal(version, versionHere(name), name);
    const story = built.find((commands) => commands.includes(`${tool} `));
    assert.ok(story, tool);
    const options = args.filter((arg) => arg !== url && !arg.startsWith('centavo'));
    for (const option of options) assert.ok(story.includes(option), `${tool} ${option}`);
  }
});

test('the command of @hey-api/openapi-ts has a version of TypeScript, because it does not support the newest', () => {
  assert.match(page, /^npx -p typescript@5\.\S+ -p @hey-api\/openapi-ts@\S+ openapi-ts /m);
});

interface OwnCommand {
  /** Name and version. */
  readonly packages: readonly (readonly [string, string | undefined])[];
  readonly tool: string;
  readonly args: readonly string[];
}

/** `npx tool@1.0.0 …`, `npx -p a@1.0.0 -p b@1.0.0 tool …` or `go run path/tool@v1.0.0 …`. */
function readCommand(command: string): OwnCommand {
  const words = command.replace(/^(npx|go run) /, '').split(' ');
  const named: string[] = [];
  while (words[0] === '-p') named.push(words.splice(0, 2)[1]!);
  const [first = '', ...args] = words;
  if (named.length === 0) named.push(first);
  const packages = named.map((text) => {
    const [, name = '', version] = /^(.[^@]*)(?:@(.+))?$/.exec(text)!;
    return [name, version] as const;
  });
  return { packages, tool: first.split('/').at(-1)!.split('@')[0]!, args };
}

/** The version that the stories are run with. */
function versionHere(name: string): string | undefined {
  const module = readFileSync(join(ROOT, 'test/clients/oapi-codegen/go.mod'), 'utf8');
  if (name.endsWith('/oapi-codegen')) return /oapi-codegen\/v2 (\S+)/.exec(module)?.[1];
  const versions = ['package.json', 'test/clients/orval/package.json'].map(
    (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')).devDependencies as Record<string, string>,
  );
  return versions.find((of) => name in of)?.[name];
}

test('the output of a program on the page is the output that is checked', () => {
  const [, output] = /prints the same lines, [^\n]+:\n\n```text\n(.*?)```/s.exec(page)!;
  const later = output!.replace('later: paid', 'later: in_review');
  assert.deepEqual(missingChapters(later), []);
  assert.equal(missingChapters(output!).length, 1, 'a client that reads no later version is caught');
  assert.equal(missingChapters(later.replace('partially_refunded', 'paid')).length, 1);
  assert.equal(missingChapters(`${later}and more\n`).length, 1);
  assert.equal(missingChapters('').length, CHAPTERS.length);
});
