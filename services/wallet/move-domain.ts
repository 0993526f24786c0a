import type { Queryable } from '../../db/engine/database.ts';
import { moveWalletDomainRow } from '../../db/wallet/wallet-domains.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Actor } from '../../domain/state-machine.ts';
import { type WalletDomainMove, walletDomainMachine } from '../../domain/wallet/domain-moves.ts';
import {
  RECHECK_AFTER_MS,
  type WalletDomain,
  type WalletDomainProblem,
} from '../../domain/wallet/wallet-domain.ts';

interface WalletDomainCheck {
  readonly id: string;
  readonly move: WalletDomainMove;
  readonly by: Actor;
  /** Failed checks since the last successful one, including this one. */
  readonly failedChecks: number;
  /** Null if the check succeeded. */
  readonly problem: WalletDomainProblem | null;
  /** Wall time. */
  readonly at: Date;
}

/**
 * Moves a domain after a check. Its status changes nowhere else. Undefined if it was deleted or moved during the check.
 */
export function moveWalletDomain(
  q: Queryable,
  scope: MerchantScope,
  { move, by, ...change }: WalletDomainCheck,
): Promise<WalletDomain | undefined> {
  const rowMove = walletDomainMachine.rowMove(move, by);
  const nextCheckAt = rowMove.to === 'verified' ? new Date(change.at.getTime() + RECHECK_AFTER_MS) : null;
  return moveWalletDomainRow(q, scope, { ...rowMove, ...change, nextCheckAt });
}
