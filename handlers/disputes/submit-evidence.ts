import { submitEvidence as submit } from '../../services/disputes/submit-evidence.ts';
import type { Handler } from '../http/handler.ts';
import { disputeAnswer } from './dispute-answer.ts';

export const submitEvidence: Handler<'submitEvidence'> = ({ deps, merchant, path, body, newId, answer }) =>
  submit(
    deps,
    merchant,
    { id: newId, disputeId: path.id, text: body.text },
    answer((dispute) => ({ status: 200, body: disputeAnswer(dispute) })),
  );
