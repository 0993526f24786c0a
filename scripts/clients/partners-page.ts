import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './places.ts';
import { STORY_OF } from './stories.ts';

export const PARTNERS_PAGE = join(ROOT, 'web/guides/38-partners.md');

/** ```` ```text commands go ```` and ```` ```go story go ````, with whatever stands in them. */
const BLOCK = /^(```\w+ (commands|story) ([a-z]+)\n).*?^```$/gms;

/** The page with each story, and the commands for it, as they are now. Throws on a language without a story. */
export function withStories(page: string): string {
  return page.replaceAll(BLOCK, (_whole, head: string, what: string, name: string) => {
    const story = STORY_OF[name];
    if (story === undefined) throw new Error(`No story is told in ${name}.`);
    if (what === 'story') return `${head}${readFileSync(join(ROOT, story.source), 'utf8')}\`\`\``;
    return `${head}${[`make clients LANG=${name}`, ...story.build, story.run].join('\n')}\n\`\`\``;
  });
}
