import { rotateVault } from '../../services/maintenance/rotate-vault.ts';
import { rewrapVaultKeys } from '../../services/vault/vault.ts';
import { type Command, command } from './command.ts';
import { lines } from './text.ts';

const rotate = command({
  name: 'vault rotate',
  summary:
    'Seals card numbers, bank data and secrets under a new key, while the service runs; and the keys themselves ' +
    'under the first of VAULT_KEYS.',
  async run(operator) {
    await rewrapVaultKeys(operator.db, operator.masterKeys);
    const { version, resealed, retired, unreadable } = await rotateVault(operator);
    if (unreadable.length > 0) {
      throw new Error(`All but these values are sealed under version ${version}: ${unreadable.join(', ')}.`);
    }
    const json = { version, resealed, retired };
    return { json, text: `Everything is sealed under version ${version}:\n${lines(json)}` };
  },
});

export const vaultCommands: readonly Command[] = [rotate];
