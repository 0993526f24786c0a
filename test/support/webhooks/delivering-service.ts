import { after } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { fanOutEvents } from '../run-jobs.ts';
import { startTestService } from '../service.ts';
import { openEndpoint } from './webhook-endpoint.ts';

/** A service that delivers webhooks when a test says so. */
export async function startDeliveringService() {
  const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  after(() => service.stop());
  const loop = new DeliveryLoop(service.deps);
  let ahead_ms = 0;
  return {
    service,
    loop,
    open: (fields: object = {}) => openEndpoint(service, fields),
    /** Sends everything that is due. */
    async deliver(): Promise<void> {
      await fanOutEvents(service.deps);
      await loop.runToEnd();
    },
    /** Moves the clock of the service. */
    letPass(ms: number): void {
      ahead_ms += ms;
      service.setAhead(ahead_ms);
    },
  };
}
