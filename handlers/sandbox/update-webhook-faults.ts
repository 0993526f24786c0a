import { setWebhookFaults } from '../../services/sandbox/set-webhook-faults.ts';
import type { Handler } from '../http/handler.ts';
import { faultsAnswer } from '../webhooks/endpoint-answer.ts';

export const updateWebhookFaults: Handler<'updateWebhookFaults'> = ({
  deps,
  merchant,
  path,
  body,
  answer,
}) => {
  const faults = {
    duplicate: body.duplicate ?? false,
    reorder: body.reorder ?? false,
    delay_s: body.delay_s ?? 0,
    dropFirst: body.drop_first ?? 0,
    wrongSignature: body.wrong_signature ?? false,
  };
  return setWebhookFaults(
    deps,
    merchant,
    { id: path.id, faults },
    answer((set) => ({ status: 200, body: faultsAnswer(set) })),
  );
};
