import { type CustomerFilter, listCustomers as listRows } from '../../db/customers/customers.ts';
import type { Customer } from '../../domain/customers/customer.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';

/** A page of the merchant's customers, newest first. Refusals: as `datedPageRequest`. */
export async function listCustomers(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  input: CustomerFilter & { readonly page: DatedPageInput },
): Promise<Page<Customer>> {
  return listRows(deps.db, merchant, input, datedPageRequest(input.page));
}
