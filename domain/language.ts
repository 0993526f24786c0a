/** The languages of buyers: Portuguese and English. */
export type Language = 'pt' | 'en';

/** The language of a buyer who has chosen none. */
export const DEFAULT_LANGUAGE: Language = 'pt';
