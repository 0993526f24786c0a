import { DAY_MS, MINUTE_MS } from '../../../domain/durations.ts';
import { pixTxid } from '../../../domain/identifiers.ts';
import { bankSlipExpiry } from '../../../domain/payments/bank-slip.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { mayMove } from '../../../domain/payments/payment-moves.ts';
import type { ApprovalDetails } from '../../../gateway/acquirer.ts';
import { addMove } from '../add-move.ts';
import { pixQr } from '../pix-qr.ts';
import type { PaymentMethodModule } from './method.ts';

/** The part of an order about its Pix charge. */
interface PixInput {
  /** An ISO 8601 instant. */
  readonly expiresAt?: string;
}

const EXPIRES_AT = 'payment.pix.expiresAt';

/** How long a charge can be paid, by default. */
const DEFAULT_VALIDITY_MS = 30 * MINUTE_MS;
const MAX_VALIDITY_MS = 30 * DAY_MS;

export const pix: PaymentMethodModule<'pix', PixInput> = {
  check(violations, { expiresAt }, at) {
    if (expiresAt === undefined) return;
    const validity_ms = new Date(expiresAt).getTime() - at.getTime();
    if (!(validity_ms > 0)) violations.add(EXPIRES_AT, 'Must be in the future.');
    if (validity_ms > MAX_VALIDITY_MS) violations.add(EXPIRES_AT, 'Must be at most 30 days ahead.');
  },
  async prepare(deps, merchant, { expiresAt }) {
    return {
      async lock() {},
      details: (at, _customer, dueOn) => ({
        txid: pixTxid(merchant.slot, deps.random),
        qrCode: null,
        qrImage: null,
        expiresAt: expiresAt === undefined ? defaultExpiry(at, dueOn) : new Date(expiresAt),
        endToEndId: null,
      }),
      take: async () => ({
        command: ({ details: { txid, expiresAt } }, common) => ({
          ...common,
          kind: 'pix_charge',
          txid,
          expiresAt,
        }),
      }),
    };
  },
  async findViolations() {},

  contradiction: () => null,
  movesOnApproval(payment, approval) {
    if (mayMove(payment, 'await_payment')) {
      const details = {
        method: pixQr(payment, approval) ?? {},
        dueAt: payment.dueAt ?? payment.details.expiresAt,
      };
      return [{ move: 'await_payment', details }];
    }
    const method = missingQr(payment, approval);
    return method === undefined ? [] : [{ move: addMove(payment, method), details: { method } }];
  },
  async recordApproval() {},
  missingDetails: (payment, approval) => missingQr(payment, approval) ?? {},
  transferDetails: ({ endToEndId }) => ({ endToEndId }),
};

/** The QR code of a billing cycle can be paid as long as a boleto with its due date. */
function defaultExpiry(at: Date, dueOn: string | undefined): Date {
  return dueOn === undefined ? new Date(at.getTime() + DEFAULT_VALIDITY_MS) : bankSlipExpiry(dueOn);
}

function missingQr(payment: Payment<'pix'>, approval: ApprovalDetails) {
  return payment.details.qrCode === null ? pixQr(payment, approval) : undefined;
}
