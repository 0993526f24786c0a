import type { Customer } from '../../domain/customers/customer.ts';
import { localTimestamp } from '../../domain/local-time.ts';
import { withoutControls } from '../../domain/text.ts';
import type { components } from '../../generated/types.ts';
import { wireWords } from '../words.ts';
import { addressAnswer } from './address-answer.ts';

/** A customer as in the contract. */
export function customerAnswer(customer: Customer): components['schemas']['Customer'] {
  return {
    id: customer.id,
    hash: customer.hash,
    name: withoutControls(customer.name),
    email: customer.email,
    documents: wireWords(customer.documents),
    addresses: customer.addresses.map(addressAnswer),
    phone: wireWords(customer.phone),
    metadata: customer.metadata,
    created_at: localTimestamp(customer.createdAt),
    updated_at: localTimestamp(customer.updatedAt),
  };
}
