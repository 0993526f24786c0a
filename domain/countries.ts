// The package's entry point loads the names of all countries in 70 languages. Its index contains the codes only.
import countries from 'i18n-iso-countries/index.js';

/** ISO 3166-1 alpha-2. The library also has XK (Kosovo), which the standard leaves to users. */
const CODES: ReadonlySet<string> = new Set(
  Object.keys(countries.getAlpha2Codes()).filter((code) => code !== 'XK'),
);

/** Whether a text is a country's two-letter code, upper case as the standard writes it. */
export function isCountry(alpha2: string): boolean {
  return CODES.has(alpha2);
}

/** The same, in either case. */
export function isCountryInAnyCase(alpha2: string): boolean {
  return isCountry(alpha2.toUpperCase());
}
