import { updatePaymentLink as updatePaymentLinkService } from '../../services/links/update-payment-link.ts';
import { withFieldNames } from '../http/handler.ts';
import { paymentLinkAnswer } from './payment-link-answer.ts';
import { FIELD_NAMES, paymentLinkFields } from './payment-link-fields.ts';

export const updatePaymentLink = withFieldNames<'updatePaymentLink'>(FIELD_NAMES, (call) =>
  updatePaymentLinkService(
    call.deps,
    call.merchant,
    { id: call.path.id, changes: paymentLinkFields(call.body) },
    call.answer((link) => ({ status: 200, body: paymentLinkAnswer(call, link) })),
  ),
);
