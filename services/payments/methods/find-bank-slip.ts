import { findMerchant } from '../../../db/merchants/merchants.ts';
import { findBankSlipByHash } from '../../../db/payments/methods/bank-slips.ts';
import type { Address } from '../../../domain/contact.ts';
import { formatDocument } from '../../../domain/documents.ts';
import { isPublicHash, slotOfHash } from '../../../domain/identifiers.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { printedLine } from '../../../domain/payments/bank-slip.ts';
import { interleaved2of5 } from '../../../domain/payments/interleaved-2-of-5.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { Deps } from '../../deps.ts';

/** A boleto as it is printed. Days are `YYYY-MM-DD`. */
export interface PrintableBankSlip {
  /** COMPE code of the bank that collects, three digits. */
  readonly bank: string;
  readonly beneficiary: PrintableParty;
  readonly payer: PrintableParty & { readonly address: Address };
  readonly purchase: Purchase;
  readonly issuedOn: string;
  readonly dueDate: string;
  readonly amount_centavos: number;
  /** The 47 digits with their dots and spaces. */
  readonly line: string;
  /** The widths of the barcode's bars and spaces, alternating and starting with a bar, in modules. */
  readonly barcode: readonly number[];
  /** Why it should not be paid any more; null if it can be paid. */
  readonly ended: 'paid' | 'expired' | null;
  /** Whether it is from a sandbox, so that no bank accepts it. */
  readonly isTest: boolean;
}

/** What is paid: an order, or a cycle of a subscription. */
export interface Purchase {
  readonly code: string;
  /** Null for an order. */
  readonly cycle: number | null;
}

interface PrintableParty {
  readonly name: string;
  /** CPF or CNPJ with its dots; null if it is not known. */
  readonly document: string | null;
}

/** `withdrawn`: the boleto was registered, but must not be paid any more. */
export type FoundBankSlip =
  | { readonly kind: 'printable'; readonly slip: PrintableBankSlip }
  | { readonly kind: 'withdrawn' };

/** The boleto of the payment with this hash. Undefined if there is none, or if it is not registered. */
export async function findBankSlip(deps: Deps, hash: string): Promise<FoundBankSlip | undefined> {
  if (!isPublicHash(hash)) return undefined;
  const found = await findBankSlipByHash(deps.db, slotOfHash(hash)!, hash);
  if (found === undefined) return undefined;
  const { payment, scope, subscriptionCode } = found;
  const { barcode, digitableLine, payer, dueDate } = payment.details;
  if (barcode === null || digitableLine === null) return undefined;
  if (payment.status === 'canceled' || payment.status === 'refused') return { kind: 'withdrawn' };
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined) return undefined;
  const slip: PrintableBankSlip = {
    bank: barcode.slice(0, 3),
    beneficiary: {
      name: merchant.legalName,
      document: merchant.document === null ? null : formatDocument(merchant.document),
    },
    payer: { ...payer, document: formatDocument(payer.document) },
    purchase: { code: payment.orderCode ?? subscriptionCode ?? '', cycle: payment.cycle },
    issuedOn: merchantDay(payment.createdAt),
    dueDate,
    amount_centavos: payment.amount_centavos,
    line: printedLine(digitableLine),
    barcode: interleaved2of5(barcode),
    ended: endOf(payment),
    isTest: deps.environment === 'sandbox',
  };
  return { kind: 'printable', slip };
}

function endOf({ status, captured_centavos }: Payment): PrintableBankSlip['ended'] {
  if (captured_centavos > 0) return 'paid';
  return status === 'expired' ? 'expired' : null;
}
