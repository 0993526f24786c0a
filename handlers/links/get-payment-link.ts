import { findPaymentLink } from '../../services/links/find-payment-link.ts';
import type { Handler } from '../http/handler.ts';
import { paymentLinkAnswer } from './payment-link-answer.ts';

export const getPaymentLink: Handler<'getPaymentLink'> = async (call) => ({
  status: 200,
  body: paymentLinkAnswer(call, await findPaymentLink(call.deps, call.merchant, call.path.id)),
});
