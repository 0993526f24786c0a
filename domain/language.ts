/** The languages of buyers: Portuguese and English. */
export const LANGUAGES = ['pt', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a buyer who has chosen none. */
export const DEFAULT_LANGUAGE: Language = 'pt';
