import { createRecipient } from './create-recipient.ts';
import { getRecipient } from './get-recipient.ts';
import { listRecipients } from './list-recipients.ts';
import { updateRecipient } from './update-recipient.ts';

export const recipients = { createRecipient, getRecipient, listRecipients, updateRecipient };
