import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { endpointSecretContext } from '../../services/webhooks/endpoint-secrets.ts';
import { type Area, sealedColumn } from '../area.ts';
import { slotJob } from '../slot-job.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import { eventsToFanOut } from './fan-out.ts';
import { measureBacklog } from './measure-backlog.ts';
import { restoreQueues } from './restore-queues.ts';

/**
 * The longest time until an event's deliveries are created, and until a retry is sent, while a worker has capacity. The
 * process that creates deliveries sends them at once.
 */
const INTERVAL_MS = 500;
const MEASURE_INTERVAL_MS = 15_000;

export const webhooks: Area = {
  jobs: (deps) => {
    const deliveries = new DeliveryLoop(deps);
    const once = (run: () => Promise<unknown>) => async () => {
      await run();
      return 0;
    };
    return [
      slotJob(
        deps,
        { name: 'event fan-out', interval_ms: INTERVAL_MS },
        eventsToFanOut(deps, (slot) => deliveries.wake(slot)),
      ),
      {
        name: 'webhook deliveries',
        interval_ms: INTERVAL_MS,
        runOnce: once(() => deliveries.round()),
        stop: () => deliveries.stop(),
      },
      {
        name: 'webhook backlog',
        interval_ms: MEASURE_INTERVAL_MS,
        runOnce: once(() => measureBacklog(deps)),
      },
      {
        name: 'webhook queues',
        interval_ms: MINUTE_MS,
        runOnce: once(() => restoreQueues(deps)),
      },
    ];
  },
  sealedColumns: [
    sealedColumn('webhook_endpoints', 'secret_sealed', 'id', endpointSecretContext),
    sealedColumn('webhook_endpoints', 'previous_secret_sealed', 'id', endpointSecretContext),
  ],
  expiringTables: [
    {
      table: 'webhook_deliveries',
      key: 'id',
      expiresAt: 'created_at',
      indexedBy: 'merchant',
      hasIdsByTime: true,
      kept_ms: 30 * DAY_MS,
    },
  ],
  merchantTables: [
    { table: 'webhook_deliveries' },
    { table: 'unsent_webhook_deliveries' },
    { table: 'webhook_queues' },
  ],
};
