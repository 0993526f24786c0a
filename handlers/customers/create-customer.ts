import { createCustomer as createCustomerService } from '../../services/customers/create-customer.ts';
import type { Handler } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { customerAnswer } from './customer-answer.ts';

export const createCustomer: Handler<'createCustomer'> = ({ deps, merchant, body, newId, answer }) =>
  createCustomerService(
    deps,
    merchant,
    { ...domainWords(body), id: newId },
    answer((customer) => ({ status: 201, body: customerAnswer(customer) })),
  );
