import type { Address, Phone } from '../../domain/contact.ts';
import { normalizeEmail } from '../../domain/email.ts';
import type { Metadata } from '../../domain/metadata.ts';
import type {
  CompanyType,
  ManagingPartner,
  Recipient,
  RecipientDocument,
  RecipientStatus,
  RecipientType,
} from '../../domain/recipients/recipient.ts';

/** A row of `recipients` without its sealed bank data. */
export interface RecipientRow {
  id: string;
  hash: string;
  number: number;
  external_reference: string;
  email: string;
  legal_name: string;
  trade_name: string;
  status: RecipientStatus;
  type: RecipientType;
  company_type: CompanyType;
  name: string | null;
  birthday: string | null;
  founding_date: string | null;
  document_type: RecipientDocument['type'];
  document_value: string;
  phone: Phone;
  address: Address;
  managing_partners: ManagingPartner[];
  bank_ispb: string | null;
  bank_account_last_4: string | null;
  metadata: Metadata;
  created_at: Date;
  updated_at: Date;
}

export const COLUMNS = `id, hash, number, external_reference, email, legal_name, trade_name, status, type, company_type,
  name, birthday, founding_date, document_type, document_value, phone, address, managing_partners, bank_ispb,
  bank_account_last_4, metadata, created_at, updated_at`;

/** The id, and the values of all columns that an update can change, except the bank data. */
export function profileColumns(recipient: Recipient) {
  return {
    id: recipient.id,
    external_reference: recipient.externalReference,
    email: recipient.email,
    email_key: normalizeEmail(recipient.email),
    legal_name: recipient.legalName,
    trade_name: recipient.tradeName,
    status: recipient.status,
    type: recipient.type,
    company_type: recipient.companyType,
    name: recipient.name,
    birthday: recipient.birthday,
    founding_date: recipient.foundingDate,
    document_type: recipient.document.type,
    document_value: recipient.document.value,
    phone: JSON.stringify(recipient.phone),
    address: JSON.stringify(recipient.address),
    managing_partners: JSON.stringify(recipient.managingPartners),
    metadata: JSON.stringify(recipient.metadata),
    updated_at: recipient.updatedAt,
  };
}

/** A row of `COLUMNS` as a recipient. */
export function toRecipient(row: RecipientRow): Recipient {
  return {
    id: row.id,
    hash: row.hash,
    number: row.number,
    externalReference: row.external_reference,
    email: row.email,
    legalName: row.legal_name,
    tradeName: row.trade_name,
    status: row.status,
    type: row.type,
    companyType: row.company_type,
    name: row.name,
    birthday: row.birthday,
    foundingDate: row.founding_date,
    document: { type: row.document_type, value: row.document_value },
    phone: row.phone,
    address: row.address,
    managingPartners: row.managing_partners,
    bankAccount:
      row.bank_ispb === null ? null : { bankIspb: row.bank_ispb, accountLast4: row.bank_account_last_4! },
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
