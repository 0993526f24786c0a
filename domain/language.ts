/** The languages of buyers: Portuguese and English. */
export const LANGUAGES = ['pt', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Of a buyer whose language is not known. */
export const DEFAULT_LANGUAGE: Language = 'pt';
