import { changePlan as change } from '../../services/subscriptions/change-plan.ts';
import type { Handler } from '../http/handler.ts';
import { planChangeAnswer } from './plan-change-answer.ts';

export const changePlan: Handler<'changePlan'> = ({ deps, merchant, path, body, newId, isRerun, answer }) =>
  change(
    deps,
    merchant,
    {
      identifier: path.id,
      offerId: body.offer_id,
      effective: body.effective ?? 'next_cycle',
      previewId: body.preview_id ?? null,
      paymentId: newId,
      isRerun,
    },
    answer((changed) => ({
      status: changed.isPending ? 202 : 200,
      body: {
        message: changed.isPending
          ? 'The difference is being charged. The plan changes when the payment is paid.'
          : changed.effective === 'immediate'
            ? 'The plan has changed.'
            : 'The plan changes with the next cycle.',
        data: planChangeAnswer(changed, changed.prorationPaymentId),
      },
    })),
  );
