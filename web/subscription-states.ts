import { scrolling } from './html.ts';
import { slugOf } from './markdown.ts';
import { type StateMove, stateDiagram } from './state-diagram.ts';

type MoveTable = Readonly<Record<string, StateMove>>;

interface Chapter {
  readonly title: string;
  readonly moves: readonly string[];
  readonly statuses: readonly string[];
}

/** One diagram each, because a diagram of all moves is not readable. The moves come from the domain's table. */
const CARD: readonly Chapter[] = [
  {
    title: 'Charges of a subscription',
    moves: ['activate', 'fall_behind', 'give_up'],
    statuses: ['payment_pending', 'trial_started', 'active', 'payment_refused', 'past_due', 'unpaid'],
  },
  {
    title: 'End of a subscription',
    moves: ['cancel', 'reactivate', 'end', 'complete', 'revoke'],
    statuses: ['active', 'canceled', 'ended', 'completed'],
  },
];

const BOLETO: Chapter = {
  title: 'Charges by boleto or Pix',
  moves: ['activate', 'fall_behind', 'give_up'],
  statuses: ['payment_pending', 'active', 'past_due', 'unpaid'],
};

/** The diagrams of a subscription by card. */
export function subscriptionDiagrams(moves: MoveTable): string {
  return CARD.map((chapter) => chapterHtml(chapter, moves)).join('\n');
}

/** The diagram of the charges of a subscription by boleto or Pix. It ends as one by card does. */
export function boletoSubscriptionDiagram(moves: MoveTable): string {
  return chapterHtml(BOLETO, moves);
}

function chapterHtml({ title, moves: names, statuses }: Chapter, moves: MoveTable): string {
  const isShown = (status: string) => statuses.includes(status);
  const chosen = names.map((name) => {
    const move = moves[name]!;
    return [name, { ...move, from: move.from.filter(isShown), to: move.to.filter(isShown) }] as const;
  });
  const name = slugOf(title);
  const svg = stateDiagram(Object.fromEntries(chosen), title, `states-${name}`);
  return `<h3 id="${name}">${title}</h3>
<figure>${scrolling(svg, `Diagram: ${title}`)}</figure>`;
}
