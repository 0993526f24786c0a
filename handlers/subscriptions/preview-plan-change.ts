import { utcMicros } from '../../domain/local-time.ts';
import { previewPlanChange as preview } from '../../services/subscriptions/preview-plan-change.ts';
import type { Handler } from '../http/handler.ts';
import { planChangeAnswer } from './plan-change-answer.ts';

export const previewPlanChange: Handler<'previewPlanChange'> = (call) =>
  preview(
    call.deps,
    call.merchant,
    {
      id: call.newId,
      identifier: call.path.id,
      offerId: call.body.offer_id,
      effective: call.body.effective ?? 'next_cycle',
    },
    call.answer((previewed) => ({
      status: 200,
      body: {
        message: 'The subscription has not changed.',
        data: {
          ...planChangeAnswer(previewed, null),
          preview_id: previewed.previewId,
          expires_at: utcMicros(previewed.expiresAt),
        },
      },
    })),
  );
