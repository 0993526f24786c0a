import { listPayments as listPaymentRows, type PaymentFilter } from '../../db/payments/payment-list.ts';
import { listRefundsOfPayment } from '../../db/payments/refunds.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type { Deps } from '../deps.ts';
import {
  type DatedPageInput,
  datedPageRequest,
  type Page,
  type PageInput,
  pageRequest,
} from '../page-request.ts';
import { getPayment } from './get-payment.ts';

/** Payments of the merchant, newest first. Refusals: as `datedPageRequest`. */
export async function listPayments(
  deps: Deps,
  merchant: Merchant,
  input: PaymentFilter & { readonly page: DatedPageInput },
): Promise<Page<Payment>> {
  const { page, ...filter } = input;
  return listPaymentRows(deps.db, merchant, filter, datedPageRequest(page));
}

/** Refunds of a payment, newest first. Refusals: as `pageRequest`; `not_found`. */
export async function listRefunds(
  deps: Deps,
  merchant: Merchant,
  paymentIdentifier: string,
  page: PageInput,
): Promise<Page<Refund>> {
  const request = pageRequest(page);
  const { id } = await getPayment(deps, merchant, paymentIdentifier);
  return listRefundsOfPayment(deps.db, merchant, id, request);
}
