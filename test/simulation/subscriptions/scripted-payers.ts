import assert from 'node:assert/strict';
import { created } from '../../support/shop.ts';
import { authorize, reject } from './model/payer.ts';
import type { ModelSubscription } from './model/state.ts';
import type { World } from './world.ts';

/** A script of what the payer of a mandate does shortly after its request. */
export interface ScriptedPayer {
  readonly id: string;
  readonly outcome: 'approve' | 'AP13' | 'AP14';
}

/** A script in one of four mandates. Null: the payer waits. */
export async function scriptPayer(world: World, customerId: string): Promise<ScriptedPayer | null> {
  const { random, shop } = world;
  if (!random.oneIn(4)) return null;
  const outcome = random.pick(['approve', 'AP13', 'AP14'] as const);
  const outcomes = [{ operation: 'mandate', outcome }];
  const { id } = await created(shop.post('/sandbox/scripts', { customer_id: customerId, outcomes }));
  return { id, outcome };
}

/** After the request. A mandate that was not sent, because the process died, is refused. */
export async function decideAs(
  { acquirer, now, shop }: World,
  scripted: ScriptedPayer | null,
  model: ModelSubscription,
): Promise<void> {
  if (acquirer.unsent?.kind === 'mandate') {
    reject(model);
    if (scripted === null) return;
    const { status, text } = await shop.call('DELETE', `/sandbox/scripts/${scripted.id}`);
    assert.equal(status, 204, text);
  } else if (scripted?.outcome === 'approve') authorize(model, now);
  else if (scripted !== null) reject(model);
}
