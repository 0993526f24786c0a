import type { Command } from '@commander-js/extra-typings';
import { distributeTables } from '../../db/engine/distribute.ts';
import { examples, type Output, type Run } from './command.ts';
import type { Operator } from './operator.ts';
import { lines } from './text.ts';

export function addDatabaseCommands(group: Command, run: Run): void {
  group
    .description('Maintains the database itself.')
    .command('distribute')
    .description(
      'Distribute the tables of every merchant over the nodes of a Citus cluster. Can be run again.',
    )
    .addHelpText('after', examples('database distribute'))
    .action(() => run(distribute));
}

async function distribute(operator: Operator): Promise<Output> {
  const { citusVersion, distributed, unchanged, local } = await distributeTables(operator.databaseUrl);
  const summary =
    distributed.length === 0
      ? 'All tables with a slot were distributed before.'
      : `Distributed by slot: ${distributed.length} of ${distributed.length + unchanged.length} tables.`;
  const text = `${summary} Statistics of distributed tables are left to autovacuum.\n${lines({
    citus: citusVersion,
    distributed,
    unchanged,
    local,
  })}`;
  return { json: { citus_version: citusVersion, distributed, unchanged, local }, text };
}
