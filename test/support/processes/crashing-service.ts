import assert from 'node:assert/strict';
import { request, type TestService } from '../service.ts';
import { startServiceProcess } from './service-process.ts';

/** A request that crashes the service. */
export interface FatalRequest {
  readonly key: string;
  /** Absent: `POST`. */
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
}

export interface CrashingService {
  /** Sends the requests, each under the Idempotency-Key `k`. Fails when one is answered, or the service survives. */
  crash(...requests: FatalRequest[]): Promise<void>;
}

/**
 * Starts a service on the database of another. It kills itself at `moment` of the last one of this number of requests.
 */
export async function startCrashing(
  beside: TestService,
  moment: string,
  requests = 1,
): Promise<CrashingService> {
  const { url, ended } = await startServiceProcess(beside, {
    program: 'crashing-program.ts',
    env: { CRASH_AT: moment, CRASH_AT_REQUEST: String(requests) },
  });
  const send = async ({ key, method = 'POST', path, body }: FatalRequest) => {
    const options = { idempotencyKey: 'k', ...(body && { body }) };
    const answer = await request(url, key, method, path, options).catch(() => undefined);
    assert.equal(answer?.text, undefined, 'the service answered and did not crash');
  };
  return {
    async crash(...fatal) {
      await Promise.all(fatal.map(send));
      assert.deepEqual(await ended, [null, 'SIGKILL']);
    },
  };
}
