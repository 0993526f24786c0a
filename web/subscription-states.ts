import type { Fragments } from './guides.ts';
import { scrolling } from './html.ts';
import { slugOf } from './markdown.ts';
import { changesOf, type StateChange, type StateMove, stateDiagram } from './state-diagram.ts';
import { CHAPTERS, type Chapter, drawnChanges, type MethodChanges } from './subscription-chapters.ts';

/** The diagrams of the guides about subscriptions. */
export function subscriptionFragments(changes: MethodChanges): Fragments {
  return Object.fromEntries(
    Object.entries(CHAPTERS).map(([place, chapters]) => [
      place,
      chapters.map((chapter) => chapterHtml(chapter, changes)).join('\n'),
    ]),
  );
}

/** The diagram of the states of a mandate. */
export function mandateDiagram(moves: Readonly<Record<string, StateMove>>): string {
  const changes = changesOf(moves).map(({ move, ...ends }) => ({ ...ends, move: `${move}_of_mandate` }));
  return figure('States of a mandate', changes);
}

function chapterHtml(chapter: Chapter, changes: MethodChanges): string {
  return figure(chapter.title, drawnChanges(chapter, changes));
}

function figure(title: string, changes: readonly StateChange[]): string {
  const name = slugOf(title);
  const svg = stateDiagram(changes, title, `states-${name}`);
  return `<h3 id="${name}">${title}</h3>
<figure>${scrolling(svg, `Diagram: ${title}`)}</figure>`;
}
