import type { Fragments } from './guides.ts';
import { scrolling } from './html.ts';
import { slugOf } from './markdown.ts';
import { changesOf, type StateChange, type StateMove, stateDiagram } from './state-diagram.ts';

/** The changes of the status of a subscription, by its payment method. */
export type MethodChanges = Readonly<Record<string, readonly StateChange[]>>;

/** A diagram of some moves from some statuses. A diagram of all moves is not readable. */
export interface Chapter {
  readonly title: string;
  readonly method: string;
  readonly moves: readonly string[];
  readonly from: readonly string[];
}

const CHARGES = ['activate', 'fall_behind', 'give_up'];
/** The charges of a method whose paid subscriptions are `active`. */
const chargesBy = (method: string): Chapter[] => [
  {
    title: 'First charge without a trial',
    method,
    moves: CHARGES,
    from: ['payment_pending', 'payment_refused'],
  },
  { title: 'First charge after a trial', method, moves: CHARGES, from: ['trial_started'] },
  { title: 'Later and overdue charges', method, moves: CHARGES, from: ['active', 'past_due', 'unpaid'] },
];

const endBy = (method: string): Chapter => ({
  title: 'End of a subscription',
  method,
  moves: ['cancel', 'reactivate', 'end', 'complete', 'revoke'],
  from: ['active', 'canceled'],
});

/** By the names of their places in the guides. */
export const CHAPTERS: Readonly<Record<string, readonly Chapter[]>> = {
  'subscription diagrams': [...chargesBy('credit_card'), endBy('credit_card')],
  'wallet subscription diagrams': [...chargesBy('browser_wallet'), endBy('browser_wallet')],
  'boleto subscription diagrams': chargesBy('bank_slip'),
  'pix recurring subscription diagrams': [
    {
      title: 'Charges by Pix recurring',
      method: 'pix_recurring',
      moves: ['start_trial', 'activate', 'fall_behind', 'give_up', 'end'],
      from: ['payment_pending', 'trial_started', 'payment_approved', 'payment_refused'],
    },
    {
      title: 'End of a Pix recurring subscription',
      method: 'pix_recurring',
      moves: ['cancel_mandate', 'end', 'complete', 'revoke'],
      from: ['payment_approved', 'canceled'],
    },
  ],
};

/** The diagrams of the guides about subscriptions. */
export function subscriptionFragments(changes: MethodChanges): Fragments {
  return Object.fromEntries(
    Object.entries(CHAPTERS).map(([place, chapters]) => [
      place,
      chapters.map((chapter) => chapterHtml(chapter, changes)).join('\n'),
    ]),
  );
}

/** The arrows of a chapter. */
export function drawnChanges(
  { method, moves, from: sources }: Chapter,
  changes: MethodChanges,
): StateChange[] {
  return changes[method]!.filter(({ move, from }) => moves.includes(move) && sources.includes(from));
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
