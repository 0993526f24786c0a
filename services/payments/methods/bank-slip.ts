import type { Address } from '../../../domain/contact.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import {
  bankSlipExpiry,
  defaultDueDate,
  digitableLine,
  mayBeDueOn,
  readBarcode,
} from '../../../domain/payments/bank-slip.ts';
import type { BankSlipDetails } from '../../../domain/payments/methods/bank-slip.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { mayMove } from '../../../domain/payments/payment-moves.ts';
import type { ApprovalDetails } from '../../../gateway/acquirer.ts';
import type { Payer, PayingCustomer } from '../../customers/resolve-customer.ts';
import { Violations } from '../../refusal.ts';
import { addMove } from '../add-move.ts';
import type { PaymentMethodModule } from './method.ts';

/** The fields of an order about its boleto. */
interface BankSlipInput {
  /** A merchant's day, `YYYY-MM-DD`; 3 days ahead where the order does not say. */
  readonly dueAt?: string;
}

export const bankSlip: PaymentMethodModule<'bank_slip', BankSlipInput> = {
  check(violations, { dueAt }, at) {
    if (dueAt === undefined || mayBeDueOn(dueAt, merchantDay(at))) return;
    violations.add('payment.bankSlip.dueAt', 'Must be a day from today to 365 days ahead.');
  },
  checkPayer,
  async prepare(_deps, _merchant, { dueAt }) {
    return {
      async lock(_tx, resolving) {
        const violations = new Violations();
        checkPayer(violations, await resolving);
        violations.throwIfAny();
      },
      details(at, customer, dueOn) {
        const dueDate = dueAt ?? dueOn ?? defaultDueDate(merchantDay(at));
        return {
          dueDate,
          expiresAt: bankSlipExpiry(dueDate),
          barcode: null,
          digitableLine: null,
          payer: payerOf(customer),
        };
      },
      take: async () => ({
        command: ({ details: { dueDate, payer } }, common) => ({
          ...common,
          kind: 'bank_slip_charge',
          dueDate,
          payer,
        }),
      }),
    };
  },
  async findViolations(_deps, _merchant, violations, _input, buyer) {
    if (buyer.kind !== 'missing') checkPayer(violations, buyer);
  },

  contradiction({ details, amount_centavos, createdAt }, { barcode }) {
    if (barcode === undefined) return null;
    const read = readBarcode(barcode, merchantDay(createdAt));
    const fits = read?.amount_centavos === amount_centavos && read.dueDate === details.dueDate;
    return fits ? null : 'barcode_mismatch';
  },
  movesOnApproval(payment, approval) {
    const method = missingBarcode(payment, approval);
    if (mayMove(payment, 'await_payment')) {
      return [
        { move: 'await_payment', details: { method, dueAt: payment.dueAt ?? payment.details.expiresAt } },
      ];
    }
    return method.barcode === undefined ? [] : [{ move: addMove(payment, method), details: { method } }];
  },
  async recordApproval() {},
  missingDetails: missingBarcode,
  transferDetails: ({ occurredAt }) => ({ paidAt: occurredAt }),
};

/** Contract row 13.7: a bank registers a boleto for a payer with a tax number and an address. */
function checkPayer(violations: Violations, { document, address }: Payer): void {
  if (document === null)
    violations.add('customer.documents', 'A boleto needs the CPF or CNPJ of the customer.');
  if (address === null) violations.add('customer.addresses', 'A boleto needs an address of the customer.');
}

function payerOf({ name, document, address }: PayingCustomer): BankSlipDetails['payer'] {
  return { name, document: document!.value, address: address as Address };
}

/** The barcode, if the payment has none yet. */
function missingBarcode(
  { details }: Payment<'bank_slip'>,
  { barcode }: ApprovalDetails,
): Partial<BankSlipDetails> {
  if (details.barcode !== null || barcode === undefined) return {};
  return { barcode, digitableLine: digitableLine(barcode) };
}
