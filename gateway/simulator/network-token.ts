import { type Answer, decide, repeatAnswer } from './answers.ts';
import { BEHAVIOURS } from './behaviours.ts';
import { transaction } from './database.ts';
import { chooseBehaviour } from './magic-values.ts';
import { insertOperation, type Operation } from './operations.ts';
import { networkToken } from './random.ts';
import type { Simulator } from './simulator.ts';

/** Enrols a card with its network. The token is random. The number chooses the behaviour and is not stored. */
export async function requestNetworkToken(
  simulator: Simulator,
  request: Operation,
  number: string,
): Promise<Answer> {
  const { networkToken: behaviour = { outcome: 'approve' } } = BEHAVIOURS[chooseBehaviour({ card: number })];
  const decision = decide(behaviour, null, { network_token: networkToken() });
  const recorded = await transaction(simulator.pool, async (tx, rollback) =>
    (await insertOperation(tx, request, decision.recorded)) ? decision : rollback(),
  );
  return recorded ?? repeatAnswer(simulator.pool, request);
}
