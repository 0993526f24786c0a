import { cardMethod } from './card.ts';

export const creditCard = cardMethod('creditCard');
