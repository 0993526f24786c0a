import { BEHAVIOURS } from './behaviours.ts';
import { chooseBehaviour } from './magic-values.ts';
import { bookOperation, type Operation } from './operations.ts';
import { networkToken } from './random.ts';
import { decide, type Reply, repeat } from './replies.ts';
import type { Simulator } from './simulator.ts';
import { transaction } from './store.ts';

/** Enrols a card with its network. The token is made up; the number decides, and is forgotten. */
export async function requestNetworkToken(
  simulator: Simulator,
  asked: Operation,
  number: string,
): Promise<Reply> {
  const { networkToken: act = { outcome: 'approve' } } = BEHAVIOURS[chooseBehaviour({ number })];
  const decision = decide(act, null, { network_token: networkToken() });
  const booked = await transaction(simulator.pool, async (tx, rollback) =>
    (await bookOperation(tx, asked, decision.booked)) ? decision : rollback(),
  );
  return booked ?? repeat(simulator.pool, asked);
}
