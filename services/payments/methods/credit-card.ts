import { cardMethod } from './card.ts';

export const creditCard = cardMethod<'credit_card'>('creditCard');
