import type { Command } from './command.ts';
import { discrepancyCommands } from './discrepancy.ts';
import { keyCommands } from './key.ts';
import { merchantCommands } from './merchant.ts';
import { vaultCommands } from './vault.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...merchantCommands,
  ...keyCommands,
  ...discrepancyCommands,
  ...vaultCommands,
];
