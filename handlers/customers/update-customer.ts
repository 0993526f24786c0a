import { updateCustomer as updateCustomerService } from '../../services/customers/update-customer.ts';
import type { Handler } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { customerAnswer } from './customer-answer.ts';

export const updateCustomer: Handler<'updateCustomer'> = ({ deps, merchant, path, body, answer }) =>
  updateCustomerService(
    deps,
    merchant,
    { identifier: path.identifier, changes: domainWords(body) },
    answer((customer) => ({ status: 200, body: customerAnswer(customer) })),
  );
