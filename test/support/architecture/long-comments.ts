import type { Source } from './sources.ts';

const MAX_LENGTH = 120;
/** A line that is a comment, or ends in one. */
const COMMENT = /^\s*(\/\*|\*|\/\/)|\s\/\/\s/;

/** One sentence for each line of a comment that is too long. The formatter wraps code only. */
export function longComments(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !path.startsWith('generated/'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const isLong = line.length > MAX_LENGTH && COMMENT.test(line);
        return isLong ? [`${path}:${index + 1} has a comment of ${line.length} characters.`] : [];
      }),
    );
}
