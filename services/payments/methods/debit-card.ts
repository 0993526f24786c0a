import { cardMethod } from './card.ts';

export const debitCard = cardMethod<'debit_card'>('debitCard');
