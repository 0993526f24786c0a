import { STANDARD_FEES } from '../../../domain/merchants/payment-methods.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { type PaymentState, recordOfState } from '../../../domain/payments/payment-state.ts';
import { planMoves, type RequestedMove } from '../../../domain/payments/plan-moves.ts';
import type { Actor } from '../../../domain/state-machine.ts';

const CREATED = new Date('2026-03-01T10:00:00Z');
export const AT = new Date('2026-03-01T10:00:01Z');
export const DUE = new Date('2026-03-01T10:30:00Z');

/** A payment of 100 centavos that is in a state. */
export function payment(state: PaymentState, changes: Partial<Payment> = {}): Payment {
  const record = recordOfState(state);
  return {
    id: 'p',
    hash: 'h',
    orderId: 'o',
    orderCode: 'c',
    paymentLinkId: null,
    offerId: null,
    subscriptionId: null,
    cycle: null,
    customerId: 'u',
    ...record,
    method: 'credit_card',
    amount_centavos: 100,
    currency: 'BRL',
    installments: 1,
    interest_centavos: 0,
    captured_centavos: 0,
    refunded_centavos: 0,
    refunding_centavos: 0,
    split: [],
    fee_centavos: null,
    capturedOn: null,
    reference: 'r',
    mcc: '5734',
    details: {
      cardId: 'd',
      brand: 'visa',
      first6: '424242',
      last4: '4242',
      statementDescriptor: null,
      manualCapture: true,
      authorizationCode: null,
    },
    refusal: null,
    retryAttempts: 0,
    billingDate: null,
    dueAt: null,
    metadata: {},
    history: [{ status: record.status, at: CREATED }],
    createdAt: CREATED,
    updatedAt: CREATED,
    ...changes,
  };
}

export function plan(from: Payment, move: RequestedMove, by: Actor = 'acquirer') {
  return planMoves(from, [move], { by, at: AT, fees: STANDARD_FEES })[0]!;
}
