import { listInvoices as list } from '../../services/subscriptions/find-subscription.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer } from '../page-answer.ts';
import { invoiceAnswer } from './invoice-answer.ts';

export const listInvoices: Handler<'listInvoices'> = async ({ deps, merchant, path, query }) => {
  const { per_page: perPage, cursor } = query;
  const page = await list(deps, merchant, path.uuid, { perPage, cursor });
  return { status: 200, body: pageAnswer(page, (invoice) => invoiceAnswer(deps, invoice)) };
};
