import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { CommanderError } from 'commander';
import { loadContract } from '../../handlers/http/load-contract.ts';
import { CALL } from '../../scripts/admin/command.ts';
import { adminProgram, usageSentence } from '../../scripts/admin/program.ts';
import { UsageError } from '../../scripts/admin/values.ts';

const SOME_ID = '01900000-0000-7000-8000-000000000000';

/** Parses a command line. Resolves to true when the command would have begun its work. */
async function parse(args: readonly string[]): Promise<boolean> {
  const opened = new Error('opened');
  const begin = () => Promise.reject(opened);
  const program = adminProgram({ open: begin, listen: begin, print: () => {} });
  return program.parseAsync([...args], { from: 'user' }).then(
    () => false,
    (error: unknown) => {
      if (error === opened) return true;
      throw error;
    },
  );
}

/** Fails unless the arguments are refused with one matching sentence, before the database is opened. */
async function refused(command: string, args: readonly string[], sentence: RegExp): Promise<void> {
  await assert.rejects(parse([...command.split(' '), ...args]), (error) => {
    assert.ok(error instanceof UsageError || error instanceof CommanderError);
    const text = error instanceof CommanderError ? usageSentence(error) : error.message;
    assert.match(text, sentence);
    assert.match(text, /^[^\n]+\.$/);
    return true;
  });
}

function leavesOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function unusedProgram() {
  const fail = () => assert.fail('begun');
  return adminProgram({ open: fail, listen: fail, print: () => {} });
}

/** The words that start a command: `key create`. */
function nameOf(leaf: CommandUnknownOpts): string {
  const group = leaf.parent?.parent ? [leaf.parent.name()] : [];
  return [...group, leaf.name()].join(' ');
}

/** What `--help` prints. */
async function helpOf(...words: string[]): Promise<string> {
  let help = '';
  const program = unusedProgram();
  const collect = (command: CommandUnknownOpts) => {
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.commands.forEach(collect);
  };
  collect(program);
  await assert.rejects(program.parseAsync([...words, '--help'], { from: 'user' }), { exitCode: 0 });
  return help;
}

describe('--help', () => {
  const leaves = leavesOf(unusedProgram());
  for (const leaf of leaves) {
    const name = nameOf(leaf);
    test(`of ${name} describes every option and shows valid examples`, async () => {
      const help = await helpOf(...name.split(' '));
      for (const { flags, description } of leaf.options) {
        assert.ok(help.includes(flags), flags);
        assert.match(description, /^[A-Z].*\.$/, flags);
      }
      for (const argument of leaf.registeredArguments) assert.match(argument.description, /^[A-Z].*\.$/);
      assert.match(help, /--json +Print one JSON document\./);
      const examples = help.split('\n').filter((line) => line.startsWith(`  ${CALL} ${name}`));
      assert.notEqual(examples.length, 0);
      for (const example of examples) {
        const words = example.slice(`  ${CALL} `.length).match(/"[^"]*"|\S+/g)!;
        assert.ok(await parse(words.map((word) => word.replaceAll('"', ''))), example);
      }
    });
  }

  test('of listen says where deliveries can be made to misbehave', async () => {
    const [, path] = (await helpOf('listen')).match(/PUT (\/\S+\/faults)\./) ?? [];
    const operations = [...loadContract().operations.values()];
    assert.ok(
      operations.some((each) => each.method === 'put' && each.path === path),
      path,
    );
  });

  test('lists all commands, and for a group those of the group', async () => {
    const all = await helpOf();
    for (const leaf of leaves) assert.ok(all.includes(`  ${nameOf(leaf)} `), leaf.name());
    const group = await helpOf('key');
    assert.ok(group.includes('key disable <key-id>') && !group.includes('merchant create'));
  });
});

describe('merchant create refuses', () => {
  const refusals: [string, string[], RegExp][] = [
    ['no name', [], /^Required option '--name <name>' not specified\.$/],
    ['an empty name', ['--name', ' '], /^--name must have 1 to 120 printable characters\.$/],
    ['a name that is too long', ['--name', 'é'.repeat(121)], /^--name must have 1 to 120/],
    ['a name with a line break', ['--name', 'a\nb'], /^--name must have 1 to 120/],
    ['two names', ['--name', 'a', '--name', 'b'], /^--name takes one value and was given twice\.$/],
    ['an option in place of a value', ['--name', '--pending'], /^--name needs a value, not --pending\.$/],
    ['an option without its value at the end', ['--name'], /^Option '--name <name>' argument missing\.$/],
    ['a value for a switch', ['--name', 'a', '--pending=no'], /^Unknown option '--pending=no'/],
    ['an unknown flag', ['--name', 'a', '--colour', 'red'], /^Unknown option '--colour'/],
    ['a name of Object for a flag', ['--name', 'a', '--constructor', 'x'], /^Unknown option '--constructor'/],
    [
      'a stray value',
      ['--name', 'a', '--mcc', '5734', '7372'],
      /^Too many arguments for 'create'\. .*: 7372\.$/,
    ],
    [
      'a wrong check digit',
      ['--name', 'a', '--document', '11222333000182'],
      /^--document .* not 11222333000182\.$/,
    ],
    ['a short MCC', ['--name', 'a', '--mcc', '573'], /^--mcc must be four digits each, not 573\.$/],
    ['a comma too many', ['--name', 'a', '--mcc', '5734,'], /^--mcc must be four digits each, not empty\.$/],
    ['an unknown method', ['--name', 'a', '--methods', 'cash'], /^--methods must be one of .*, not cash\.$/],
    [
      'an unknown plan',
      ['--name', 'a', '--plan', 'gold'],
      /^--plan must be one of standard, essential, not gold\.$/,
    ],
  ];
  for (const [what, flags, sentence] of refusals)
    test(what, () => refused('merchant create', flags, sentence));
});

describe('merchant set refuses', () => {
  const refusals: [string, string[], RegExp][] = [
    [
      'interest for one installment',
      ['--installment-interest', '1=100'],
      /^--installment-interest must be rates .* not 1=100\.$/,
    ],
    [
      'two rates for one number of installments',
      ['--installment-interest', '2=100,2=150'],
      /^--installment-interest must have one rate for each number of installments, not 2=100,2=150\.$/,
    ],
    ['a rate limit of 0', ['--rate-limit', '0'], /^--rate-limit must be a whole number from 1 .* not 0\.$/],
    ['a rate limit in words', ['--rate-limit', 'many'], /^--rate-limit .* not many\.$/],
    ['a time without a unit', ['--webhook-retries', '1s,2'], /^--webhook-retries must be delays .* not 2\.$/],
    ['a time that is too long', ['--webhook-retries', '31d'], /^--webhook-retries .* not 31d\.$/],
    [
      'days that go back',
      ['--dunning-days', '3,1'],
      /^--dunning-days must be days in ascending order, not 3,1\.$/,
    ],
    [
      'a secret of another kind',
      ['--notification-secret', 'hunter2'],
      /^--notification-secret must be whsec_/,
    ],
    [
      'a secret that is too short',
      ['--notification-secret', 'whsec_aGk='],
      /^--notification-secret must be whsec_/,
    ],
    [
      'a secret without its padding, which most libraries cannot read',
      ['--notification-secret', `whsec_${Buffer.alloc(25).toString('base64').replace(/=+$/, '')}`],
      /^--notification-secret must be whsec_/,
    ],
  ];
  for (const [what, flags, sentence] of refusals) {
    test(what, () => refused('merchant set', ['--merchant', SOME_ID, ...flags], sentence));
  }
});

describe('other commands refuse', () => {
  const LOCAL = ['--forward', 'http://localhost:4000/'];
  const key = ['--merchant', SOME_ID, '--name', 'x'];
  const refusals: [string, string, string[], RegExp][] = [
    ['an id that is none', 'merchant show', ['abc'], /^merchant-id must be an id \(a UUID\), not abc\.$/],
    ['no id', 'merchant approve', [], /^Missing required argument 'merchant-id'\.$/],
    ['two ids', 'key revoke', [SOME_ID, SOME_ID], /^Too many arguments for 'revoke'\. /],
    ['no note', 'discrepancy close', [SOME_ID], /^Required option '--note <text>' not specified\.$/],
    [
      'an empty note',
      'discrepancy close',
      [SOME_ID, '--note', ''],
      /^--note must have 1 to 500 printable characters\.$/,
    ],
    ['a note that is too long', 'discrepancy close', [SOME_ID, '--note', 'x'.repeat(501)], /^--note must /],
    ['no id', 'discrepancy close', ['--note', 'x'], /^Missing required argument 'discrepancy-id'\.$/],
    ['an id that is none', 'discrepancy list', ['--merchant', 'x'], /^--merchant must be an id /],
    ['no merchant', 'key list', [], /^Required option '--merchant <id>' not specified\.$/],
    [
      'no key',
      'listen',
      ['--forward', 'http://localhost/'],
      /^Required option '--key <key>' not specified\.$/,
    ],
    ['a key of another kind', 'listen', ['--key', 'sk_1', ...LOCAL], /^--key must be an API key, /],
    ['no URL', 'listen', ['--key', 'pay_test_1'], /^Required option '--forward <url>' not specified\.$/],
    [
      'a short secret',
      'listen',
      ['--key', 'pay_test_1', ...LOCAL, '--secret', 'whsec_aGk='],
      /^--secret must be whsec_/,
    ],
    [
      'a path',
      'listen',
      ['--key', 'pay_test_1', ...LOCAL, '--url', 'http://localhost/api'],
      /^--url must be an address /,
    ],
    [
      'a path under the earlier name',
      'listen',
      ['--key', 'pay_test_1', ...LOCAL, '--api', 'http://localhost/api'],
      /^--api must be an address /,
    ],
    [
      'both names of the address',
      'listen',
      ['--key', 'pay_test_1', ...LOCAL, '--api', 'http://localhost', '--url', 'http://localhost'],
      /^Option '--api <url>' cannot be used with option '--url <url>'\.$/,
    ],
    ['half a permission', 'key create', [...key, '--permissions', 'cards'], /^--permissions .* not cards\.$/],
    [
      'an unknown resource',
      'key create',
      [...key, '--permissions', 'ships:read'],
      /^--permissions .* not ships:read\.$/,
    ],
    [
      'a flag of another command',
      'key list',
      ['--merchant', SOME_ID, '--pending'],
      /^Unknown option '--pending'/,
    ],
  ];
  for (const [what, name, args, sentence] of refusals) {
    test(`${name}: ${what}`, () => refused(name, args, sentence));
  }
});

for (const flag of ['--url', '--api'])
  test(`listen accepts ${flag}`, async () => {
    const args = ['listen', '--key', 'pay_test_1', '--forward', 'http://localhost/', flag];
    assert.ok(await parse([...args, 'https://api.loja.example.com']));
  });

describe('listen forwards to this machine only', () => {
  const parseTo = (url: string) => ['--key', 'pay_test_1', '--forward', url];
  for (const url of [
    'http://localhost:4000/webhooks',
    'https://localhost/',
    'http://127.0.0.1:4000/',
    'http://127.8.9.1/',
    'http://[::1]:4000/',
  ])
    test(`it accepts ${url}`, async () => assert.ok(await parse(['listen', ...parseTo(url)])));

  for (const url of [
    'http://192.168.0.7:4000/',
    'http://0.0.0.0:4000/',
    'http://[::]:4000/',
    'http://[::ffff:127.0.0.1]:4000/',
    'https://loja.example.com/webhooks',
    'http://localhost.example.com/',
    'http://localhost:4000@example.com/',
    'http://127.0.0.1.example.com/',
    'http://shop.localhost/',
    'http://localhost:25/',
    'ftp://localhost/',
    'localhost:4000',
    '',
  ])
    test(`it refuses ${url || 'nothing'}`, () => refused('listen', parseTo(url), /^--forward /));
});
