import type { Area } from '../area.ts';
import { slotJob } from '../slot-job.ts';
import { abandonedAdvances } from './advances.ts';

export const clock: Area = {
  jobs: (deps) => [slotJob(deps, { name: 'clock advances', interval_ms: 1_000 }, abandonedAdvances(deps))],
  merchantTables: [{ table: 'merchant_clocks' }, { table: 'clock_advances' }, { table: 'clock_steps' }],
};
