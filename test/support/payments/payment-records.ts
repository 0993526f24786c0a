import type {
  AcquirerUpdate,
  OperationOnRecord,
  OperationResult,
  PaymentOnRecord,
  UpdateName,
  Verdict,
} from '../../../domain/payments/acquirer-report.ts';
import { judgeUpdate, type UpdateContext } from '../../../domain/payments/judge-update.ts';
import type { BankSlipDetails } from '../../../domain/payments/methods/bank-slip.ts';
import type { CardDetails } from '../../../domain/payments/methods/credit-card.ts';
import type { PixDetails } from '../../../domain/payments/methods/pix.ts';
import type { PixRecurringDetails } from '../../../domain/payments/methods/pix-recurring.ts';
import type { OperationKind } from '../../../domain/payments/payment-operation.ts';
import { type PaymentState, recordOfState } from '../../../domain/payments/payment-state.ts';

export const CAPTURED = /^(paid|refund|partially|chargeback)/;

export const CARD: CardDetails = {
  cardId: 'd',
  brand: 'visa',
  first6: '424242',
  last4: '4242',
  statementDescriptor: null,
  manualCapture: true,
  authorizationCode: null,
};
const PIX: PixDetails = {
  txid: 't',
  qrCode: null,
  qrImage: null,
  expiresAt: new Date(0),
  endToEndId: null,
};

export const PIX_RECURRING: PixRecurringDetails = {
  mandateId: 'm',
  role: 'authorization',
  txid: null,
  qrCode: null,
  qrImage: null,
  expiresAt: new Date(0),
  chargeCode: null,
  acquirerReference: null,
  endToEndId: null,
};

const BANK_SLIP: BankSlipDetails = {
  dueDate: '2026-11-24',
  expiresAt: new Date(0),
  barcode: null,
  digitableLine: null,
  payer: {
    name: 'Ana Souza',
    document: '52998224725',
    address: {
      type: 'billing',
      line1: 'Avenida Paulista',
      number: '1578',
      neighborhood: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      postalCode: '01310200',
      country: 'BR',
    },
  },
};

function detailsOf(method: PaymentOnRecord['method'], isPaid: boolean): PaymentOnRecord['details'] {
  if (method === 'pix') return { ...PIX, endToEndId: isPaid ? 'E1' : null };
  if (method === 'pix_recurring') return PIX_RECURRING;
  return method === 'bank_slip' ? BANK_SLIP : CARD;
}

/** A payment of 100 centavos that is in a state. */
export function payment(
  state: PaymentState,
  method: PaymentOnRecord['method'] = 'credit_card',
): PaymentOnRecord {
  const { status, pendingOperation } = recordOfState(state);
  const disputed = status.startsWith('chargeback_') ? (['chargeback_requested', status] as const) : [status];
  return {
    status,
    pendingOperation,
    method,
    amount_centavos: 100,
    captured_centavos: CAPTURED.test(status) ? 100 : 0,
    refusal: status === 'refused' ? { code: 'do_not_honor', message: '', retryable: true } : null,
    history: disputed.map((one) => ({ status: one, at: new Date(0) })),
    details: detailsOf(method, CAPTURED.test(status)),
  };
}

export function operation(
  kind: OperationKind,
  state: OperationOnRecord['state'] = 'pending',
): OperationOnRecord {
  return { kind, state, amount_centavos: 100, refusalCode: state === 'refused' ? 'do_not_honor' : null };
}

export function word(verdict: Verdict): string {
  if (verdict.verdict === 'wait') return verdict.limit_ms === null ? 'wait' : 'wait a while';
  return verdict.verdict === 'discrepancy' ? verdict.reason : verdict.verdict;
}

const METHODS: Partial<Record<OperationKind, PaymentOnRecord['method']>> = {
  pix_charge: 'pix',
  bank_slip_charge: 'bank_slip',
  mandate: 'pix_recurring',
  mandate_charge: 'pix_recurring',
  cancel_mandate: 'pix_recurring',
};
export const methodOf = (kind: OperationKind) => METHODS[kind] ?? 'credit_card';

export function result(kind: OperationKind, how: OperationResult['result']): OperationResult {
  return { operation: kind, result: how, methods: [methodOf(kind)], amount_centavos: 100 };
}

export const UNNAMED = { endToEndId: null, occurredAt: new Date(1) };
export const NO_CONTEXT: UpdateContext = {
  hasOpenOperation: false,
  isTransferUsed: false,
  isCyclePaid: false,
  isCycleBeingCharged: false,
  isMandateEndAwaited: false,
  refunds: [],
  disputes: [],
  isPreviousAwaited: true,
};

const FIRST_OPERATIONS: Partial<Record<PaymentOnRecord['method'], OperationKind>> = {
  pix: 'pix_charge',
  pix_recurring: 'mandate',
};

export function verdictOn(
  name: UpdateName,
  record: PaymentOnRecord,
  claims: Partial<AcquirerUpdate> = {},
  context = NO_CONTEXT,
) {
  const report: AcquirerUpdate = {
    update: name,
    methods: [record.method],
    amount_centavos: 100,
    ...UNNAMED,
    ...claims,
  };
  return word(
    judgeUpdate(
      report,
      record,
      operation(FIRST_OPERATIONS[record.method] ?? 'authorize', 'approved'),
      context,
    ),
  );
}
