import { listCustomers as listCustomersService } from '../../services/customers/list-customers.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { customerAnswer } from './customer-answer.ts';

export const listCustomers: Handler<'listCustomers'> = async ({ deps, merchant, query }) => {
  const page = await listCustomersService(deps, merchant, {
    email: query.email,
    document: query.document,
    page: pageInput(query),
  });
  return { status: 200, body: pageAnswer(page, customerAnswer) };
};
