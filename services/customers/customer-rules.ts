import type { Address, Phone } from '../../domain/contact.ts';
import { isCountryInAnyCase } from '../../domain/countries.ts';
import type { CustomerDocument } from '../../domain/customers/customer.ts';
import type { Metadata } from '../../domain/metadata.ts';
import { checkDocument, RULE_SENTENCES } from '../document-rules.ts';
import type { Violations } from '../refusal.ts';

/** A new customer as a caller describes it. */
export interface NewCustomer {
  readonly name: string;
  readonly email: string;
  readonly documents?: readonly CustomerDocument[];
  readonly addresses?: readonly Address[];
  readonly phone?: Phone;
  readonly metadata?: Metadata;
  /**
   * True if a buyer typed the data at a public page. The payment is then made with this data, and nothing stored of a
   * customer with the same e-mail address is used, shown or changed: anyone can type that address.
   */
  readonly isTypedByBuyer?: boolean;
}

export const EMAIL_TAKEN = 'Another customer has this e-mail address.';

/** Adds the violations of documents and countries. `prefix` is added before the paths, such as `customer.`. */
export function checkCustomer(
  violations: Violations,
  customer: Pick<NewCustomer, 'documents' | 'addresses'>,
  prefix = '',
): void {
  customer.documents?.forEach(({ type, value }, index) => {
    checkDocument(violations, `${prefix}documents.${index}.value`, type, value);
  });
  customer.addresses?.forEach(({ country }, index) => {
    if (isCountryInAnyCase(country)) return;
    violations.add(`${prefix}addresses.${index}.country`, RULE_SENTENCES.country);
  });
}
