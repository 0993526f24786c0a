import type { Address, Phone } from './contact.ts';
import type { Metadata } from './metadata.ts';

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

/** The document that a payment carries: the tax number where there is one, else the first; null without any. */
export function payingDocument(documents: readonly CustomerDocument[]): CustomerDocument | null {
  return documents.find(({ type }) => type !== 'passport') ?? documents[0] ?? null;
}
