import { PAYMENT_METHODS } from '../../domain/merchants/payment-methods.ts';
import type { OperationResult, UpdateName } from '../../domain/payments/acquirer-report.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { cardRefusal, type PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { AcquirerNotification, EndedCharge, InquiryOutcome } from '../../gateway/acquirer.ts';
import type { ReceivedResult, ReceivedUpdate } from './apply-report.ts';
import type { FinalOutcome } from './final-outcome.ts';
import type { Reported } from './record-discrepancy.ts';

/**
 * Converts the answer to a command or an inquiry to a report; undefined if there was no answer. `not_found` means that
 * the acquirer refuses the reference from now on: the operation was not done and never will be.
 */
export function receivedOutcome(
  operation: PaymentOperation,
  source: 'answer' | 'inquiry',
  outcome: InquiryOutcome,
): ReceivedResult | undefined {
  if (outcome.kind === 'unknown') return undefined;
  const isSealed = outcome.kind === 'not_found';
  const report: OperationResult = isSealed
    ? {
        operation: operation.kind,
        result: 'refused',
        methods: PAYMENT_METHODS,
        amount_centavos: operation.amount_centavos,
      }
    : {
        operation: outcome.operation,
        result: outcome.kind,
        methods: [outcome.method],
        amount_centavos: outcome.amount_centavos,
      };
  const method = isSealed ? null : outcome.method;
  const side = {
    report: isSealed ? 'not_found' : `${report.operation}.${report.result}`,
    method,
    amount_centavos: isSealed ? null : report.amount_centavos,
    refusal_code: outcome.kind === 'refused' ? safeCode(outcome.refusal) : null,
    ...barcodeOf(outcome),
  };
  const { barcode } = side;
  const keyParts = [
    ...[operation.reference, side.report, method ?? '', side.amount_centavos ?? ''],
    ...(barcode === undefined ? [] : [barcode]),
  ];
  return { report, outcome: finalOutcome(outcome), reported: { source, key: keyParts.join(' '), side } };
}

/**
 * Converts the state of a charge in the answer to an inquiry, at `at` of the merchant's clock, to a report; undefined
 * while it is open or not known.
 */
export function receivedCharge(
  { reference }: PaymentOperation,
  outcome: InquiryOutcome,
  { at, waited_ms }: { readonly at: Date; readonly waited_ms: number },
): ReceivedUpdate | undefined {
  if (outcome.kind !== 'approved' || outcome.charge === undefined) return undefined;
  if (outcome.charge.state === 'open' || outcome.charge.state === 'unreadable') return undefined;
  const { state, amount_centavos, refusal, endToEndId, occurredAt, mandate } = outcome.charge;
  const { method } = outcome;
  return {
    report: {
      ...{ update: UPDATE_OF_STATE[state], methods: [method], amount_centavos },
      ...{ endToEndId, occurredAt, mandate },
    },
    refusal,
    reported: {
      source: 'inquiry',
      key: [reference, state, method, amount_centavos, endToEndId ?? ''].join(' '),
      side: {
        report: `charge.${state}`,
        method,
        amount_centavos,
        refusal_code: refusal && safeCode(refusal),
        end_to_end_id: endToEndId,
        occurred_at: occurredAt.toISOString(),
      },
    },
    // One that was canceled with its mandate waits for the report of the mandate's end, which may be lost.
    waited_ms: state === 'canceled' ? at.getTime() - occurredAt.getTime() : waited_ms,
  };
}

/** Converts what has happened in the disputes of a payment, by the answer to an inquiry, to reports, in order. */
export function receivedDisputes(
  { reference }: PaymentOperation,
  outcome: InquiryOutcome,
  waited_ms: number,
): readonly ReceivedUpdate[] {
  if (outcome.kind !== 'approved' || outcome.disputes === undefined) return [];
  const { method } = outcome;
  return outcome.disputes.map(({ state, amount_centavos, occurredAt, dispute }) => {
    const at = occurredAt.toISOString();
    const report = `chargeback.${state}`;
    return {
      report: {
        ...{ update: `chargeback_${state}` as const, methods: [method], amount_centavos },
        ...{ endToEndId: null, occurredAt, dispute },
      },
      refusal: null,
      reported: {
        source: 'inquiry',
        key: [reference, report, dispute.reference ?? '', amount_centavos, at].join(' '),
        side: { report, method, amount_centavos, occurred_at: at },
      },
      waited_ms,
    };
  });
}

const UPDATE_OF_STATE = {
  paid: 'charge_paid',
  authorized: 'mandate_authorized',
  refused: 'charge_refused',
  expired: 'charge_expired',
  canceled: 'voided',
} as const satisfies Record<EndedCharge['state'], UpdateName>;

/** The barcode of a boleto as a discrepancy shows it; a text that does not look like one is not stored. */
function barcodeOf(outcome: InquiryOutcome): { readonly barcode?: string } {
  if (outcome.kind !== 'approved' || outcome.barcode === undefined) return {};
  return { barcode: /^[0-9]{1,60}$/.test(outcome.barcode) ? outcome.barcode : 'other' };
}

function finalOutcome(outcome: Exclude<InquiryOutcome, { kind: 'unknown' }>): FinalOutcome | undefined {
  if (outcome.kind === 'pending') return undefined;
  if (outcome.kind !== 'not_found') return outcome;
  return { kind: 'refused', refusal: cardRefusal('processing_error'), isUnsent: true };
}

/** The contents of a notification, as a discrepancy shows them. The key is the id of the notification. */
export function reportedBy(notification: AcquirerNotification): Reported {
  return {
    source: 'notification',
    key: `notification ${notification.id}`,
    side: {
      report: notification.type,
      method: notification.method,
      amount_centavos: notification.amount_centavos,
      refusal_code: notification.refusal && safeCode(notification.refusal),
      end_to_end_id: notification.endToEndId,
      occurred_at: notification.occurredAt.toISOString(),
      notification_id: notification.id,
    },
  };
}

/** A refusal code, or `other` for a text that does not look like one and so is not stored. */
function safeCode({ code }: PaymentRefusal): string {
  return /^[A-Za-z0-9_]{1,40}$/.test(code) ? code : 'other';
}
