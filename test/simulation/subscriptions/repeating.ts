import { randomUUID } from 'node:crypto';
import { whileCommitBreaks } from '../../support/broken-commits.ts';
import type { CallOptions, TestAnswer, TestService } from '../../support/service.ts';
import { type Death, DIED, type FaultyAcquirer } from './faults.ts';

/** What a merchant asks of subscriptions and payments. */
const REQUESTS = /^\/(charges\/subscriptions|subscriptions|payments\/)/;

const COMMITS: Readonly<Partial<Record<Death, readonly [statement: RegExp, isDone: boolean]>>> = {
  intent_lost: [/insert into payment_operations/, false],
  answer_lost: [/update idempotency_keys/, false],
  answer_written: [/update idempotency_keys/, true],
};

/**
 * A service whose process dies in the first request of an action, or in another one at the same time, if it is to die.
 * The merchant then sends the request again, with its key, and has the answer that the first one would have had.
 */
export function repeating(service: TestService, acquirer: FaultyAcquirer): TestService {
  const call: TestService['call'] = async (method, path, options = {}) => {
    const isFatal = acquirer.mayDie && method === 'POST' && REQUESTS.test(path);
    if (!isFatal) return service.call(method, path, options);
    const { wanted } = acquirer;
    acquirer.wanted = 'none';
    const keyed: CallOptions = { idempotencyKey: randomUUID(), ...options };
    const send = () => service.call(method, path, keyed);
    const answer = await (wanted === 'none' ? send() : sendAndDie(acquirer, wanted, send));
    return answer.status === DIED ? send() : answer;
  };
  return { ...service, call };
}

async function sendAndDie(
  acquirer: FaultyAcquirer,
  at: Death,
  send: () => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const commit = COMMITS[at];
  if (commit === undefined) return acquirer.whileDying({ at, sparesCharges: false }, send);
  const { result, hasBroken } = await whileCommitBreaks(...commit, send);
  if (hasBroken) acquirer.count(at);
  return result;
}
