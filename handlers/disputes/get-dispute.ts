import { findDispute } from '../../services/disputes/find-dispute.ts';
import type { Handler } from '../http/handler.ts';
import { disputeAnswer } from './dispute-answer.ts';

export const getDispute: Handler<'getDispute'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: disputeAnswer(await findDispute(deps.db, merchant, path.id)),
});
