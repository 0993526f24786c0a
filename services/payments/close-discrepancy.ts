import { findDiscrepancy } from '../../db/payments/discrepancies.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import type { Deps } from '../deps.ts';
import { notFound, notInThisState } from '../refusal.ts';
import { moveDiscrepancy } from './move-discrepancy.ts';

/**
 * Closes a discrepancy that a person has looked into, with a note on the findings. It changes no payment. Refusals:
 * `not_found`, `wrong_state` if it is already closed.
 */
export async function closeDiscrepancy(
  deps: Pick<Deps, 'db' | 'wall'>,
  id: string,
  note: string,
): Promise<Discrepancy> {
  const found = await findDiscrepancy(deps.db, id);
  if (found === undefined) throw notFound('Discrepancy');
  const closed = await moveDiscrepancy(deps.db, found.scope, {
    id,
    move: 'close',
    by: 'operator',
    note,
    at: deps.wall(),
  });
  if (closed === undefined) throw notInThisState('The discrepancy is already closed.');
  return closed;
}
