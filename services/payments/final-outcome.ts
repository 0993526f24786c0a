import type { PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { CardApproval, PixChargeApproval } from '../../gateway/acquirer.ts';

/** What an operation came to, once it is known. */
export type FinalOutcome =
  | ({ readonly kind: 'approved' } & Partial<CardApproval> & Partial<PixChargeApproval>)
  | { readonly kind: 'refused'; readonly refusal: PaymentRefusal };
