import { listCards } from '../../db/cards/cards.ts';
import type { Card } from '../../domain/cards/card.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { findCustomerByIdentifier } from '../customers/find-customer.ts';
import type { Deps } from '../deps.ts';
import { type Page, type PageInput, pageRequest } from '../page-request.ts';

/** A page of a customer's cards, newest first. Refusals: as `pageRequest`, and then as `findCustomerByIdentifier`. */
export async function listCustomerCards(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  input: { readonly identifier: string; readonly page: PageInput },
): Promise<Page<Card>> {
  const page = pageRequest(input.page);
  const customer = await findCustomerByIdentifier(deps, merchant, input.identifier);
  return listCards(deps.db, merchant, customer.id, page);
}
