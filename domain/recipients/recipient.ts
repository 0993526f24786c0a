import type { Address, Phone } from '../contact.ts';
import type { Metadata } from '../metadata.ts';

export type RecipientStatus = 'approved' | 'pending' | 'blocked' | 'reproved';
export type RecipientType = 'individual' | 'company';
export type CompanyType = 'MEI' | 'ME' | 'EPP' | 'LTDA' | 'EIRELI' | 'SA' | 'AUT' | 'OTHER';

export interface RecipientDocument {
  readonly type: 'cpf' | 'cnpj';
  /** Without formatting characters. */
  readonly value: string;
}

/** A person who is responsible for the recipient. */
export interface ManagingPartner {
  readonly name: string;
  readonly email: string;
  /** CPF. */
  readonly document: string;
  /** `YYYY-MM-DD`, as every date here. */
  readonly birthday: string;
  readonly nationality: string;
  readonly type: string;
  readonly roleDescription: string;
  readonly phone: Omit<Phone, 'ddi'> & { readonly ddi?: string };
}

/** The bank account to which a recipient is paid. It is stored sealed, and answers show `BankAccountSummary` only. */
export interface BankAccount {
  readonly bankIspb: string;
  readonly holderName: string;
  readonly branchNumber: string;
  readonly branchCheckDigit?: string;
  readonly accountNumber: string;
  readonly accountCheckDigit: string;
  readonly pixKey?: string;
  readonly pixKeyType?: 'cpf' | 'cnpj' | 'phone' | 'email' | 'random';
  readonly status: 'approved' | 'pending' | 'reproved';
  readonly receiverType: 'checking' | 'saving';
}

export interface BankAccountSummary {
  readonly bankIspb: string;
  /** The last four digits of the account number without its check digit; fewer if it is shorter. */
  readonly accountLast4: string;
}

/** The fields of a recipient that the merchant sets, except the bank account. */
export interface RecipientProfile {
  readonly externalReference: string;
  readonly email: string;
  readonly legalName: string;
  readonly tradeName: string;
  readonly status: RecipientStatus;
  readonly type: RecipientType;
  readonly companyType: CompanyType;
  readonly name: string | null;
  readonly birthday: string | null;
  readonly foundingDate: string | null;
  readonly document: RecipientDocument;
  readonly phone: Phone;
  readonly address: Address;
  readonly managingPartners: readonly ManagingPartner[];
  readonly metadata: Metadata;
}

/** A party that receives shares of payments. */
export interface Recipient extends RecipientProfile {
  readonly id: string;
  readonly hash: string;
  /** The merchant's recipients are numbered 1, 2, 3 … */
  readonly number: number;
  readonly bankAccount: BankAccountSummary | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
