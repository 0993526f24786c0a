import { findCustomerByIdentifier } from '../../services/customers/find-customer.ts';
import type { Handler } from '../http/handler.ts';
import { customerAnswer } from './customer-answer.ts';

export const getCustomer: Handler<'getCustomer'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: customerAnswer(await findCustomerByIdentifier(deps, merchant, path.identifier)),
});
