import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COMMANDS } from '../../scripts/admin/commands.ts';
import { UsageError } from '../../scripts/admin/values.ts';

const SOME_ID = '01900000-0000-7000-8000-000000000000';

/** Fails unless the command refuses the arguments, before it opens anything, with one matching sentence. */
function refused(name: string, args: readonly string[], sentence: RegExp): void {
  const command = COMMANDS.find((candidate) => candidate.name === name)!;
  assert.throws(
    () => command.prepare(args),
    (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, sentence);
      return !error.message.includes('\n');
    },
  );
}

describe('merchant create refuses', () => {
  const refusals: [string, string[], RegExp][] = [
    ['no name', [], /^--name is required\.$/],
    ['an empty name', ['--name', ' '], /^--name must have 1 to 120 printable characters\.$/],
    ['a name that is too long', ['--name', 'é'.repeat(121)], /^--name must have 1 to 120/],
    ['a name with a line break', ['--name', 'a\nb'], /^--name must have 1 to 120/],
    ['two names', ['--name', 'a', '--name', 'b'], /^--name takes one value and was given 2 times\.$/],
    ['a flag without its value', ['--name', '--pending'], /^--name needs a value\.$/],
    ['a value for a switch', ['--name', 'a', '--pending=no'], /^--pending takes no value\.$/],
    ['an unknown flag', ['--name', 'a', '--colour', 'red'], /^merchant create has no flag --colour\.$/],
    ['a name of Object for a flag', ['--name', 'a', '--constructor', 'x'], /has no flag --constructor\.$/],
    ['a stray value', ['--name', 'a', '--mcc', '5734', '7372'], /^Unexpected argument 7372: /],
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
    ['a rate limit of 0', ['--rate-limit', '0'], /^--rate-limit must be a whole number from 1 .* not 0\.$/],
    ['a rate limit in words', ['--rate-limit', 'many'], /^--rate-limit .* not many\.$/],
    ['a time without a unit', ['--webhook-retries', '1s,2'], /^--webhook-retries must be times .* not 2\.$/],
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
  ];
  for (const [what, flags, sentence] of refusals) {
    test(what, () => refused('merchant set', ['--merchant', SOME_ID, ...flags], sentence));
  }
});

describe('other commands refuse', () => {
  const key = ['--merchant', SOME_ID, '--name', 'x'];
  const refusals: [string, string, string[], RegExp][] = [
    ['an id that is none', 'merchant show', ['abc'], /^ID must be an id \(a UUID\), not abc\.$/],
    ['no id', 'merchant approve', [], /^merchant approve needs ID\.$/],
    ['two ids', 'key revoke', [SOME_ID, SOME_ID], /^Unexpected argument /],
    ['no note', 'discrepancy close', [SOME_ID], /^--note is required\.$/],
    [
      'an empty note',
      'discrepancy close',
      [SOME_ID, '--note', ''],
      /^--note must have 1 to 500 printable characters\.$/,
    ],
    ['a note that is too long', 'discrepancy close', [SOME_ID, '--note', 'x'.repeat(501)], /^--note must /],
    ['no id', 'discrepancy close', ['--note', 'x'], /^discrepancy close needs ID\.$/],
    ['an id that is none', 'discrepancy list', ['--merchant', 'x'], /^--merchant must be an id /],
    ['no merchant', 'key list', [], /^--merchant is required\.$/],
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
      /^key list has no flag --pending\.$/,
    ],
  ];
  for (const [what, name, args, sentence] of refusals) {
    test(`${name}: ${what}`, () => refused(name, args, sentence));
  }
});
