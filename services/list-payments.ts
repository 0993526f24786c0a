import { listPayments as listPaymentRows, type PaymentFilter } from '../db/payment-list.ts';
import { findPaymentByIdentifier } from '../db/payments.ts';
import { listRefundsOfPayment, type Refund } from '../db/refunds.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import { isStorableText } from '../domain/text.ts';
import { existingPaymentId } from './capture-payment.ts';
import type { Deps } from './deps.ts';
import { type Page, type PageInput, pageRequest } from './page-request.ts';
import { notFound } from './refusal.ts';

export type { Refund };

/** Payments of the merchant, newest first. Refusals (422): see `pageRequest`. */
export async function listPayments(
  deps: Deps,
  merchant: Merchant,
  input: PaymentFilter & { readonly page: PageInput },
): Promise<Page<Payment>> {
  const { page, ...filter } = input;
  return listPaymentRows(deps.db, merchant, filter, pageRequest(page));
}

/** A payment by its id, hash, order code or Pix txid. Refusal: 404. */
export async function getPayment(deps: Deps, merchant: Merchant, identifier: string): Promise<Payment> {
  const payment = isStorableText(identifier)
    ? await findPaymentByIdentifier(deps.db, merchant, identifier)
    : undefined;
  if (payment === undefined) throw notFound('Payment');
  return payment;
}

/** Refunds of a payment, newest first. Refusals: 404; 422 as `pageRequest`. */
export async function listRefunds(
  deps: Deps,
  merchant: Merchant,
  paymentId: string,
  page: PageInput,
): Promise<Page<Refund>> {
  const request = pageRequest(page);
  return listRefundsOfPayment(deps.db, merchant, await existingPaymentId(deps, merchant, paymentId), request);
}
