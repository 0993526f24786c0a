import type { Deps } from '../services/deps.ts';
import { VAULT_REFRESH_MS } from '../services/maintenance/rotate-vault.ts';
import type { KeyUsage } from '../services/merchants/key-usage.ts';
import { HEARTBEAT_MS, recordHeartbeat } from '../services/readiness.ts';
import type { Job } from './loop.ts';

/** Jobs that every process runs, in any role. One run does all the work, so a pause follows each run. */
export function housekeeping(deps: Deps, usage: KeyUsage, workerId: string | null): Job[] {
  const once = (run: () => Promise<unknown>) => async () => {
    await run();
    return 0;
  };
  const heartbeat = {
    name: 'heartbeat',
    interval_ms: HEARTBEAT_MS,
    runOnce: once(() => recordHeartbeat(deps, workerId!)),
  };
  return [
    ...(workerId === null ? [] : [heartbeat]),
    { name: 'key usage', interval_ms: 2_000, runOnce: once(() => usage.flush()) },
    { name: 'vault keys', interval_ms: VAULT_REFRESH_MS, runOnce: once(() => deps.vault.refresh()) },
  ];
}
