import { listPaymentLinks as listPaymentLinksService } from '../../services/links/find-payment-link.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { paymentLinkAnswer } from './payment-link-answer.ts';

export const listPaymentLinks: Handler<'listPaymentLinks'> = async (call) => {
  const { deps, merchant, query } = call;
  const page = await listPaymentLinksService(deps, merchant, {
    page: pageInput(query),
    status: query.status,
  });
  return { status: 200, body: pageAnswer(page, (link) => paymentLinkAnswer(call, link)) };
};
