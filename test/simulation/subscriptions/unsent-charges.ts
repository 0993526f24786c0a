import type { World } from './world.ts';

/**
 * A charge by a mandate that was not sent in the last action, because the process died: another one has taken its place
 * at once, and what the model says about the charge is true of that one.
 */
export async function addUnsentCharge(world: World): Promise<void> {
  const { unsent } = world.acquirer;
  if (unsent?.kind !== 'mandate_charge') return;
  const [payment] = await world.service.rows<{ id: string; cycle: number; before: number }>(
    `select p.subscription_id as id, p.cycle, cast((select count(*) from payments o
         where o.slot = :slot and o.merchant_id = :account and o.subscription_id = p.subscription_id
           and o.cycle = p.cycle and (o.created_at, o.id) < (p.created_at, p.id)) as integer) as before
       from payments p where p.slot = :slot and p.merchant_id = :account and p.reference = :reference`,
    { ...world.key, reference: unsent.reference },
  );
  const { id, cycle, before } = payment!;
  const { model } = world.subscriptions.find((subscription) => subscription.id === id)!;
  const { attempts } = model.invoices.get(cycle)!;
  const again = attempts[before]!;
  if (model.open?.attempt === again) model.open.unsent += 1;
  attempts.splice(before, 0, { ...again, state: 'refused', decision: 'not_sent' });
}
