import { MINUTE_MS } from '../../domain/durations.ts';
import type { Area } from '../area.ts';
import { slotJob } from '../slot-job.ts';
import { pastBalances } from './fold-balances.ts';

export const ledger: Area = {
  jobs: (deps) => [slotJob(deps, { name: 'fold balances', interval_ms: 10 * MINUTE_MS }, pastBalances(deps))],
  merchantTables: [{ table: 'ledger_transfers' }, { table: 'ledger_balances' }],
};
