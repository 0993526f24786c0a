import { localTimestamp } from '../../domain/local-time.ts';
import type { Recipient } from '../../domain/recipients/recipient.ts';
import type { components } from '../../generated/types.ts';
import { wireWords } from '../words.ts';

/** A recipient as in the contract. Of the bank account, it has only the bank and the last 4 characters. */
export function recipientAnswer(recipient: Recipient): components['schemas']['Recipient'] {
  return {
    id: recipient.id,
    hash: recipient.hash,
    number: recipient.number,
    external_reference: recipient.externalReference,
    email: recipient.email,
    legal_name: recipient.legalName,
    trade_name: recipient.tradeName,
    status: recipient.status,
    type: recipient.type,
    company_type: recipient.companyType,
    name: recipient.name,
    birthday: recipient.birthday,
    founding_date: recipient.foundingDate,
    document: recipient.document,
    phone: wireWords(recipient.phone),
    address: wireWords(recipient.address),
    managing_partners: wireWords(recipient.managingPartners),
    bank_account: wireWords(recipient.bankAccount),
    metadata: recipient.metadata,
    created_at: localTimestamp(recipient.createdAt),
    updated_at: localTimestamp(recipient.updatedAt),
  };
}
