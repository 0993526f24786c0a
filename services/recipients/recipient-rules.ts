import type { Address, Phone } from '../../domain/contact.ts';
import { isCountryInAnyCase } from '../../domain/countries.ts';
import type { Metadata } from '../../domain/metadata.ts';
import type { BankAccount, RecipientProfile } from '../../domain/recipients/recipient.ts';
import { checkDocument } from '../document-rules.ts';
import { Refusal, type Violations } from '../refusal.ts';

/** A new recipient as a caller describes it. */
export interface NewRecipient
  extends Omit<RecipientProfile, 'name' | 'birthday' | 'foundingDate' | 'metadata'> {
  readonly name?: string;
  readonly birthday?: string;
  readonly foundingDate?: string;
  readonly address: Address;
  readonly phone: Phone;
  readonly bankAccount?: BankAccount;
  readonly metadata?: Metadata;
}

const REQUIRED = 'This field is required.';

/** Adds the violations of a complete profile: fields that its type requires, and check digits. */
export function checkProfile(violations: Violations, profile: RecipientProfile): void {
  if (profile.type === 'individual') {
    if (profile.name === null) violations.add('name', REQUIRED);
    if (profile.birthday === null) violations.add('birthday', REQUIRED);
  } else if (profile.foundingDate === null) {
    violations.add('foundingDate', REQUIRED);
  }
  checkDocument(violations, 'document.value', profile.document.type, profile.document.value);
  profile.managingPartners.forEach(({ document }, index) => {
    checkDocument(violations, `managingPartners.${index}.document`, 'cpf', document);
  });
}

/** Refuses `address.country` (`country_not_found`) when it is not a country of ISO 3166-1. */
export function refuseUnknownCountry(address: Address): void {
  if (isCountryInAnyCase(address.country)) return;
  throw new Refusal('country_not_found', {
    message: 'The country does not exist.',
    fields: { 'address.country': ['The country does not exist.'] },
  });
}
