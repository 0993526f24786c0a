import { PAYMENT_METHODS, type PaymentMethod } from '../merchants/payment-methods.ts';
import type { AcquirerUpdate, OperationResult, UpdateName } from './acquirer-report.ts';
import type { DisputeNotice } from './dispute-notice.ts';
import { methodRules } from './methods/index.ts';
import type { MandateNotice } from './methods/mandate-updates.ts';
import {
  CHARGE_FAMILIES,
  type ChargeFamily,
  MANDATE_FAMILY,
  type NotificationFamily,
} from './methods/method.ts';
import { isFirstOperation, type OperationKind } from './payment-operation.ts';

/** The types of notifications: results of operations, and later changes of a payment. */
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
  ...CHARGE_FAMILIES.flatMap(
    (family) => [`${family}.paid`, `${family}.refused`, `${family}.expired`] as const,
  ),
  'mandate.authorized',
  'mandate.rejected',
  'mandate.canceled',
  'chargeback.requested',
  'chargeback.dispute',
  'chargeback.won',
  'chargeback.lost',
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** The contents of a notification. */
export interface NotificationContent {
  readonly type: NotificationType;
  /** Null if the notification does not name it, which is a discrepancy. */
  readonly method: PaymentMethod | null;
  readonly amount_centavos: number | null;
  readonly endToEndId: string | null;
  /** When it happened, by the acquirer's clock. */
  readonly occurredAt: Date;
  /** Set in notifications about a dispute. */
  readonly dispute?: DisputeNotice | undefined;
  /** Set in notifications about a mandate, and about the charge that authorized it. */
  readonly mandate?: MandateNotice | undefined;
}

/** The methods whose notifications belong to this family. */
function notifiedAs(family: NotificationFamily): readonly PaymentMethod[] {
  return PAYMENT_METHODS.filter((method) => methodRules(method).notifiedAs === family);
}

interface Meaning {
  /** The methods that the type can be about; absent for any method. */
  readonly methods?: readonly PaymentMethod[];
  readonly result?: Pick<OperationResult, 'operation' | 'result'>;
  readonly update?: UpdateName;
}

const AUTHORIZED = notifiedAs('authorization');
const BY_MANDATE = notifiedAs(MANDATE_FAMILY);

const result = (operation: OperationKind, result: 'approved' | 'refused') => ({
  result: { operation, result },
});

const MEANING: Readonly<Record<NotificationType, Meaning>> = {
  'authorization.approved': { methods: AUTHORIZED, ...result('authorize', 'approved') },
  'authorization.refused': { methods: AUTHORIZED, ...result('authorize', 'refused') },
  'authorization.fraud_detected': { methods: AUTHORIZED, update: 'fraud_detected' },
  'capture.approved': { methods: AUTHORIZED, ...result('capture', 'approved') },
  'capture.refused': { methods: AUTHORIZED, ...result('capture', 'refused') },
  // If the reference is that of an authorization or charge, the acquirer released the payment by itself.
  'cancel.approved': { ...result('cancel', 'approved'), update: 'voided' },
  'cancel.refused': result('cancel', 'refused'),
  'refund.approved': result('refund', 'approved'),
  'refund.refused': result('refund', 'refused'),
  ...chargeMeanings(),
  'mandate.authorized': { methods: BY_MANDATE, update: 'mandate_authorized' },
  'mandate.rejected': { methods: BY_MANDATE, update: 'mandate_rejected' },
  'mandate.canceled': { methods: BY_MANDATE, update: 'mandate_canceled' },
  'chargeback.requested': { update: 'chargeback_requested' },
  'chargeback.dispute': { update: 'chargeback_dispute' },
  'chargeback.won': { update: 'chargeback_won' },
  'chargeback.lost': { update: 'chargeback_lost' },
};

function chargeMeanings() {
  const meanings = CHARGE_FAMILIES.flatMap((family): [NotificationType, Meaning][] => {
    const methods = notifiedAs(family);
    return [
      [`${family}.paid`, { methods, update: 'charge_paid' }],
      [`${family}.refused`, { methods, update: 'charge_refused' }],
      [`${family}.expired`, { methods, update: 'charge_expired' }],
    ];
  });
  return Object.fromEntries(meanings) as Record<`${ChargeFamily}.${'paid' | 'refused' | 'expired'}`, Meaning>;
}

/** Converts a notification to a report. `kind` is the kind of the operation with the reference of the notification. */
export function reportOf(
  content: NotificationContent,
  kind: OperationKind,
): OperationResult | AcquirerUpdate {
  const { methods, result, update } = MEANING[content.type];
  const common = { methods: methodsOf(content.method, methods), amount_centavos: content.amount_centavos };
  const isUpdate = update !== undefined && (result === undefined || isFirstOperation(kind));
  if (isUpdate) {
    const { endToEndId, occurredAt, dispute, mandate } = content;
    return { ...common, update, endToEndId, occurredAt, dispute, mandate };
  }
  return { ...common, ...result! };
}

/** The method that the notification names, if its type can be about it. */
function methodsOf(named: PaymentMethod | null, byType: readonly PaymentMethod[] | undefined) {
  if (named === null) return null;
  return byType === undefined || byType.includes(named) ? [named] : [];
}
