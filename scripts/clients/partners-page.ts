import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from './languages.ts';
import { ROOT } from './places.ts';
import { STORY_OF } from './stories.ts';

export const PARTNERS_PAGE = join(ROOT, 'web/guides/38-partners.md');

/** The blocks ```` ```text commands go ```` and ```` ```go story go ````. */
const BLOCK = /^(```\w+ (commands|story) ([a-z-]+)\n).*?^```$/gms;

/** Writes the current stories and their commands into the page. Throws on a language without a story. */
export function withStories(page: string): string {
  return page.replaceAll(BLOCK, (_whole, head: string, what: string, name: string) => {
    const story = STORY_OF[name];
    if (story === undefined) throw new Error(`There is no story for ${name}.`);
    const { source, build, run } = story;
    if (what === 'commands') {
      const generate = name in LANGUAGES ? [`make clients LANG=${name}`] : [];
      const commands = [...generate, ...build, ...(run === undefined ? [] : [run])];
      return `${head}${commands.join('\n')}\n\`\`\``;
    }
    if (source === undefined) throw new Error(`There is no story for ${name}.`);
    return `${head}${readFileSync(join(ROOT, source), 'utf8')}\`\`\``;
  });
}
