import type { PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { ApprovalDetails } from '../../gateway/acquirer.ts';

/** The outcome of an operation, once it is known. */
export type FinalOutcome =
  | ({ readonly kind: 'approved' } & ApprovalDetails)
  | {
      readonly kind: 'refused';
      readonly refusal: PaymentRefusal;
      /** The acquirer never received the command. */
      readonly isUnsent?: true;
    };
