import { createPaymentLink as createPaymentLinkService } from '../../services/links/create-payment-link.ts';
import { withFieldNames } from '../http/handler.ts';
import { paymentLinkAnswer } from './payment-link-answer.ts';
import { FIELD_NAMES, paymentLinkFields } from './payment-link-fields.ts';

export const createPaymentLink = withFieldNames<'createPaymentLink'>(FIELD_NAMES, (call) =>
  createPaymentLinkService(
    call.deps,
    call.merchant,
    { id: call.newId, fields: paymentLinkFields(call.body) },
    call.answer((link) => ({ status: 201, body: paymentLinkAnswer(call, link) })),
  ),
);
