import type { ChargeMethod } from './method.ts';

export const card: ChargeMethod = {
  laterInput: ({ cardId, statementDescriptor, processingModel }) => ({
    id: cardId,
    ...(statementDescriptor !== null && { statementDescriptor }),
    ...(processingModel !== null && { processingModel }),
  }),
  firstDue: null,
  hasInstallments: true,
};
