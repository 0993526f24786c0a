import type { Command } from '@commander-js/extra-typings';
import { SEALED_COLUMNS } from '../../jobs/index.ts';
import { rotateVault } from '../../services/maintenance/rotate-vault.ts';
import { rewrapVaultKeys } from '../../services/vault/vault.ts';
import { examples, type Output, type Run } from './command.ts';
import type { Operator } from './operator.ts';
import { lines } from './text.ts';

export function addVaultCommands(group: Command, run: Run): void {
  group
    .description('Maintains the encryption of card numbers, bank data and secrets.')
    .command('rotate')
    .description(
      'Encrypt card numbers, bank data and secrets again with a new key, and the keys themselves with the first of ' +
        'VAULT_KEYS. The service may be running.',
    )
    .addHelpText('after', examples('vault rotate'))
    .action(() => run(rotate));
}

async function rotate(operator: Operator): Promise<Output> {
  await rewrapVaultKeys(operator.db, operator.masterKeys);
  const { version, resealed, retired, unreadable } = await rotateVault({
    ...operator,
    sealedColumns: SEALED_COLUMNS,
  });
  if (unreadable.length > 0) {
    throw new Error(
      `These values cannot be decrypted, and were left as they are: ${unreadable.join(', ')}. ` +
        `All others are encrypted with key version ${version}.`,
    );
  }
  const json = { version, resealed, retired };
  return { json, text: `All values are encrypted with key version ${version}:\n${lines(json)}` };
}
