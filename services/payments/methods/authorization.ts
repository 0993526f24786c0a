import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import { firstStepAt } from '../../../domain/payments/authorization.ts';
import type { MethodDetails } from '../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { mayMove } from '../../../domain/payments/payment-moves.ts';
import type { RequestedMove } from '../../../domain/payments/plan-moves.ts';
import { plainAscii, singleLine } from '../../../domain/text.ts';
import type { ApprovalDetails } from '../../../gateway/acquirer.ts';

/** The methods that are authorized and captured: cards, and cards in a wallet. */
type AuthorizedMethod = {
  [M in PaymentMethod]: MethodDetails[M] extends { readonly manualCapture: boolean } ? M : never;
}[PaymentMethod];

/** The contract's limit for a statement descriptor. */
const STATEMENT_MAX_CHARACTERS = 22;

/**
 * The text on the buyer's statement: by default, the merchant's name. The name and older stored texts can have accents
 * and other characters than ASCII, which are removed.
 */
export function descriptorOfInput(
  merchant: Merchant,
  input: { readonly statementDescriptor?: string },
): string | null {
  const texts = [input.statementDescriptor ?? '', merchant.name];
  return texts.map((text) => plainAscii(singleLine(text), STATEMENT_MAX_CHARACTERS)).find(Boolean) ?? null;
}

/** The moves after the acquirer has approved the authorization. */
export function approvalMoves(
  payment: Payment<AuthorizedMethod>,
  { authorizationCode }: ApprovalDetails,
): readonly RequestedMove[] {
  const { manualCapture } = payment.details;
  const move = manualCapture ? 'pre_authorize' : 'authorize';
  // A notification, such as suspected fraud, arrived before this answer and has moved the payment.
  if (!mayMove(payment, move)) return [];
  const method = { authorizationCode: authorizationCode ?? null };
  return manualCapture
    ? [{ move, details: { method, dueAt: firstStepAt(payment) } }]
    : [
        { move, details: { method } },
        {
          move: payment.cycle === null ? 'settle' : 'settle_cycle',
          amount_centavos: payment.amount_centavos,
        },
      ];
}

/** The authorization code, if the payment has none yet. */
export function missingAuthorization(
  { details }: Payment<AuthorizedMethod>,
  { authorizationCode }: ApprovalDetails,
): { readonly authorizationCode?: string } {
  return details.authorizationCode === null && authorizationCode !== undefined ? { authorizationCode } : {};
}
