import type { Address, Phone } from '../contact.ts';
import type { Metadata } from '../metadata.ts';

export interface CustomerDocument {
  readonly type: 'cpf' | 'cnpj' | 'passport';
  /** Without formatting characters. */
  readonly value: string;
}

/** A buyer, as the merchant knows it. */
export interface Customer {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly email: string;
  readonly documents: readonly CustomerDocument[];
  readonly addresses: readonly Address[];
  readonly phone: Phone | null;
  readonly metadata: Metadata;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The first CPF or CNPJ: what an acquirer knows a payer by. Null where there is none; a passport is no such number. */
export function taxNumberOf(documents: readonly CustomerDocument[]): CustomerDocument | null {
  return documents.find(({ type }) => type !== 'passport') ?? null;
}
