import { getDispute } from './get-dispute.ts';
import { listDisputes } from './list-disputes.ts';
import { submitEvidence } from './submit-evidence.ts';

export const disputes = { getDispute, listDisputes, submitEvidence };
