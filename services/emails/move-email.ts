import { type EmailResult, moveEmailRow } from '../../db/emails/move-email-row.ts';
import type { Queryable } from '../../db/engine/database.ts';
import { type EmailMove, emailMachine } from '../../domain/emails/email-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';

/** Makes a move of an e-mail after an attempt. Returns false when another attempt has begun. */
export function moveEmail(
  q: Queryable,
  scope: MerchantScope,
  move: EmailMove,
  result: EmailResult,
): Promise<boolean> {
  return moveEmailRow(q, scope, { ...emailMachine.rowMove(move, 'clock'), ...result });
}
