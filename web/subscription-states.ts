import { scrolling } from './html.ts';
import { slugOf } from './markdown.ts';
import { type StateMove, stateDiagram } from './state-diagram.ts';

type StateMoves = Readonly<Record<string, StateMove>>;

/** A diagram of some moves between some statuses. */
interface Chapter {
  readonly title: string;
  readonly moves: readonly string[];
  readonly statuses: readonly string[];
}

/** One diagram each, because a diagram of all moves is not readable. The moves come from the domain's table. */
const BY_CARD: readonly Chapter[] = [
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

const BY_PIX_RECURRING: readonly Chapter[] = [
  {
    title: 'Charges by Pix recurring',
    moves: ['start_trial', 'activate', 'fall_behind'],
    statuses: ['payment_pending', 'trial_started', 'payment_approved', 'payment_refused'],
  },
  {
    title: 'End of a Pix recurring subscription',
    moves: ['cancel_mandate', 'end', 'complete', 'revoke'],
    statuses: ['payment_approved', 'canceled', 'ended', 'completed'],
  },
];

const BOLETO: Chapter = {
  title: 'Charges by boleto or Pix',
  moves: ['activate', 'fall_behind', 'give_up'],
  statuses: ['payment_pending', 'active', 'past_due', 'unpaid'],
};

const MANDATE: Chapter = {
  title: 'States of a mandate',
  moves: ['authorize', 'reject', 'expire', 'cancel'],
  statuses: ['created', 'authorized', 'rejected', 'expired', 'canceled'],
};

/** The diagrams of a subscription by card. */
export function subscriptionDiagrams(moves: StateMoves): string {
  return BY_CARD.map((chapter) => diagramOf(chapter, moves)).join('\n');
}

/** The diagram of the charges of a subscription by boleto or Pix. It ends as one by card does. */
export function boletoSubscriptionDiagram(moves: StateMoves): string {
  return diagramOf(BOLETO, moves);
}

/** The diagrams of a Pix recurring subscription and of its mandate. */
export function mandateDiagrams({
  subscriptionMoves,
  mandateMoves,
}: {
  readonly subscriptionMoves: StateMoves;
  readonly mandateMoves: StateMoves;
}): string {
  const ofMandate = Object.fromEntries(
    MANDATE.moves.map((name) => [`${name}_of_mandate`, mandateMoves[name]!] as const),
  );
  return [
    ...BY_PIX_RECURRING.map((chapter) => diagramOf(chapter, subscriptionMoves)),
    diagramOf({ ...MANDATE, moves: Object.keys(ofMandate) }, ofMandate),
  ].join('\n');
}

function diagramOf({ title, moves: names, statuses }: Chapter, moves: StateMoves): string {
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
