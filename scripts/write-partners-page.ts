/**
 * Writes the stories, and the commands that run them, into the partners' page.
 *
 * Usage: node scripts/write-partners-page.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { PARTNERS_PAGE, withStories } from './clients/partners-page.ts';

writeFileSync(PARTNERS_PAGE, withStories(readFileSync(PARTNERS_PAGE, 'utf8')));
