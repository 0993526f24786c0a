import type { ChargeMethod } from './method.ts';

export const card: ChargeMethod = {
  laterInput: ({ cardId, statementDescriptor }) => ({
    id: cardId,
    ...(statementDescriptor !== null && { statementDescriptor }),
  }),
  firstDue: null,
  hasInstallments: true,
  needsPayer: false,
};
