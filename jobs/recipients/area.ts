import { bankAccountContext } from '../../services/recipients/bank-account.ts';
import { type Area, sealedColumn } from '../area.ts';

export const recipients: Area = {
  sealedColumns: [sealedColumn('recipients', 'bank_account_sealed', 'id', bankAccountContext)],
  merchantTables: [{ table: 'recipients', countedAs: 'recipients', lockedBy: 'id' }],
};
