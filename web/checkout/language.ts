import { en } from './words/en.ts';
import { pt } from './words/pt.ts';
import type { Words } from './words/words.ts';

/** The words of the page in the language that the browser prefers: Portuguese, unless it prefers English. */
export function wordsFor(acceptLanguage: string | undefined): Words {
  const [preferred] = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='));
      return {
        language: tag.trim().slice(0, 2),
        quality: quality === undefined ? 1 : Number(quality.slice(2)),
      };
    })
    .filter(({ language, quality }) => (language === 'pt' || language === 'en') && quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return preferred?.language === 'en' ? en : pt;
}
