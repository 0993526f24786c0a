import type { Queryable } from '../../db/engine/database.ts';
import { moveDiscrepancyRow } from '../../db/payments/discrepancies.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import { type DiscrepancyMove, discrepancyMachine } from '../../domain/payments/discrepancy-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Actor } from '../../domain/state-machine.ts';

interface DiscrepancyChange {
  readonly id: string;
  readonly move: DiscrepancyMove;
  readonly by: Actor;
  /** What was found. */
  readonly note: string;
  /** Wall time. */
  readonly at: Date;
}

/** Moves a discrepancy. Its status changes nowhere else. Undefined if its status does not allow the move. */
export function moveDiscrepancy(
  q: Queryable,
  scope: MerchantScope,
  { move, by, ...change }: DiscrepancyChange,
): Promise<Discrepancy | undefined> {
  return moveDiscrepancyRow(q, scope, { ...discrepancyMachine.rowMove(move, by), ...change });
}
