import { scrolling } from './html.ts';
import { slugOf } from './markdown.ts';
import { type StateMove, stateDiagram } from './state-diagram.ts';

/** One diagram each, because a diagram of all moves is not readable. The moves come from the domain's table. */
const CHAPTERS = [
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
] as const;

/** The diagrams of a subscription by card. */
export function subscriptionDiagrams(moves: Readonly<Record<string, StateMove>>): string {
  return CHAPTERS.map(({ title, moves: names, statuses }) => {
    const isShown = (status: string) => (statuses as readonly string[]).includes(status);
    const chosen = names.map((name) => {
      const move = moves[name]!;
      return [name, { ...move, from: move.from.filter(isShown), to: move.to.filter(isShown) }] as const;
    });
    const name = slugOf(title);
    const svg = stateDiagram(Object.fromEntries(chosen), title, `states-${name}`);
    return `<h3 id="${name}">${title}</h3>
<figure>${scrolling(svg, `Diagram: ${title}`)}</figure>`;
  }).join('\n');
}
