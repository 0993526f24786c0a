import type { PaymentMethod } from '../merchants/merchant.ts';
import type { NewsName, OperationResult, PaymentNews } from './acquirer-report.ts';
import { beginsPayment, type OperationKind } from './payment-operation.ts';

/** What the acquirer may notify us of: results of operations, and what happens to a payment later. */
export const NOTIFICATION_TYPES = [
  'authorization.approved',
  'authorization.refused',
  'authorization.fraud_detected',
  'capture.approved',
  'capture.refused',
  'cancel.approved',
  'cancel.refused',
  'refund.approved',
  'refund.refused',
  'pix.paid',
  'pix.refused',
  'pix.expired',
  'chargeback.requested',
  'chargeback.dispute',
  'chargeback.won',
  'chargeback.lost',
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** What a notification says. */
export interface Claim {
  readonly type: NotificationType;
  /** Null: only the type says it. */
  readonly method: PaymentMethod | null;
  readonly amount_centavos: number | null;
  readonly endToEndId: string | null;
  /** When it happened, by the acquirer's clock. */
  readonly occurredAt: Date;
}

const CARD: readonly PaymentMethod[] = ['credit_card', 'debit_card', 'browser_wallet'];
const PIX: readonly PaymentMethod[] = ['pix', 'pix_recurring'];

interface Meaning {
  /** The methods that the type is about; absent for any. */
  readonly methods?: readonly PaymentMethod[];
  readonly result?: Pick<OperationResult, 'operation' | 'result'>;
  readonly news?: NewsName;
}

const result = (operation: OperationKind, result: 'approved' | 'refused') => ({
  result: { operation, result },
});

const MEANING: Readonly<Record<NotificationType, Meaning>> = {
  'authorization.approved': { methods: CARD, ...result('authorize', 'approved') },
  'authorization.refused': { methods: CARD, ...result('authorize', 'refused') },
  'authorization.fraud_detected': { methods: CARD, news: 'fraud_detected' },
  'capture.approved': { methods: CARD, ...result('capture', 'approved') },
  'capture.refused': { methods: CARD, ...result('capture', 'refused') },
  // With the reference of an authorization or charge: the acquirer released the payment itself.
  'cancel.approved': { ...result('cancel', 'approved'), news: 'voided' },
  'cancel.refused': result('cancel', 'refused'),
  'refund.approved': result('refund', 'approved'),
  'refund.refused': result('refund', 'refused'),
  'pix.paid': { methods: PIX, news: 'pix_paid' },
  'pix.refused': { methods: PIX, news: 'pix_refused' },
  'pix.expired': { methods: PIX, news: 'pix_expired' },
  'chargeback.requested': { news: 'chargeback_requested' },
  'chargeback.dispute': { news: 'chargeback_dispute' },
  'chargeback.won': { news: 'chargeback_won' },
  'chargeback.lost': { news: 'chargeback_lost' },
};

/** A notification as a report, given the kind of the operation whose reference it carries. */
export function reportOf(claim: Claim, kind: OperationKind): OperationResult | PaymentNews {
  const { methods, result, news } = MEANING[claim.type];
  const claims = { methods: methodsOf(claim.method, methods), amount_centavos: claim.amount_centavos };
  const isNews = news !== undefined && (result === undefined || beginsPayment(kind));
  if (isNews) {
    const { endToEndId, occurredAt } = claim;
    return { ...claims, news, endToEndId, occurredAt };
  }
  return { ...claims, ...result! };
}

/** The methods that both the notification and its type name. */
function methodsOf(named: PaymentMethod | null, byType: readonly PaymentMethod[] | undefined) {
  if (named === null) return byType ?? null;
  return byType === undefined || byType.includes(named) ? [named] : [];
}
