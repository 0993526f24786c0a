import { movePaymentLink } from '../../services/links/move-payment-link.ts';
import type { Handler } from '../http/handler.ts';
import { paymentLinkAnswer } from './payment-link-answer.ts';

export const enablePaymentLink: Handler<'enablePaymentLink'> = (call) =>
  movePaymentLink(
    call.deps,
    call.merchant,
    { id: call.path.id, move: 'enable' },
    call.answer((link) => ({ status: 200, body: paymentLinkAnswer(call, link) })),
  );
