import { created } from '../../support/shop.ts';
import { authorize, reject } from './model/payer.ts';
import type { ModelSubscription } from './model/state.ts';
import type { World } from './world.ts';

/** What the payer of a mandate does shortly after its request. */
export type PayerDecision = 'approve' | 'AP13' | 'AP14';

/** A script in one of four mandates. Null: the payer waits. */
export async function scriptPayer(world: World, customerId: string): Promise<PayerDecision | null> {
  const { random, shop } = world;
  if (!random.oneIn(4)) return null;
  const outcome = random.pick(['approve', 'AP13', 'AP14'] as const);
  const outcomes = [{ operation: 'mandate', outcome }];
  await created(shop.post('/sandbox/scripts', { customer_id: customerId, outcomes }));
  return outcome;
}

export function decideAs(decision: PayerDecision, model: ModelSubscription, now: number): void {
  if (decision === 'approve') authorize(model, now);
  else reject(model);
}
