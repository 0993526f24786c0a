import type { Address, Phone } from '../contact.ts';
import type { Metadata } from '../metadata.ts';

export interface CustomerDocument {
  readonly type: 'cpf' | 'cnpj' | 'passport';
  /** Without formatting characters. */
  readonly value: string;
}

/** A buyer of the merchant. */
export interface Customer {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly email: string;
  readonly documents: readonly CustomerDocument[];
  readonly addresses: readonly Address[];
  readonly phone: Phone | null;
  readonly metadata: Metadata;
  /**
   * A buyer typed the data at a checkout page. Anyone can type any e-mail address, so the merchant's data replaces it.
   */
  readonly isTypedByBuyer: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The first CPF or CNPJ, by which an acquirer identifies a payer. Null without one: a passport is not a tax number. */
export function taxNumberOf(documents: readonly CustomerDocument[]): CustomerDocument | null {
  return documents.find(({ type }) => type !== 'passport') ?? null;
}
