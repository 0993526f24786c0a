import { escapeHtml, scrolling, tableHtml } from './html.ts';
import { slugOf } from './markdown.ts';
import { wordsOf } from './move-words.ts';
import { changesOf, type StateMove, stateDiagram } from './state-diagram.ts';

/** One diagram each, because a diagram of all moves is not readable. The moves come from the domain's table. */
const CHAPTERS = [
  {
    title: 'By card',
    moves: ['pre_authorize', 'authorize', 'settle', 'settle_cycle', 'capture'],
    statuses: ['processing', 'pre_authorized', 'AUTHORIZED', 'paid'],
    // From the other statuses, boletos and Pix charges are paid.
    sources: { settle: ['AUTHORIZED'] },
  },
  {
    title: 'By Pix',
    moves: ['await_payment', 'settle', 'expire'],
    statuses: ['processing', 'waiting_payment', 'expired', 'paid'],
  },
  {
    title: 'By Pix recurring: a mandate with its first charge',
    moves: ['await_payment', 'settle_first', 'expire'],
    statuses: ['processing', 'waiting_payment', 'expired', 'paid'],
  },
  {
    title: 'By Pix recurring: a mandate without a charge',
    moves: ['offer_code', 'add_data', 'authorize_mandate', 'expire'],
    statuses: ['scheduled', 'AUTHORIZED', 'expired'],
  },
  {
    title: 'By Pix recurring: a later charge',
    moves: ['send', 'settle_recurring', 'drop'],
    statuses: ['scheduled', 'waiting_payment', 'paid', 'canceled'],
  },
  {
    title: 'Ends without payment',
    moves: ['refuse', 'suspect_fraud', 'cancel'],
    statuses: ['processing', 'waiting_payment', 'pre_authorized', 'AUTHORIZED', 'refused', 'canceled'],
  },
  {
    title: 'By card: the answer to a capture or cancellation is lost',
    moves: ['mark_capture_unknown', 'mark_void_unknown', 'fail_capture', 'fail_void', 'repeat_unknown_step'],
  },
  {
    title: 'By Pix: the answer to a cancellation is lost',
    moves: ['mark_cancel_unknown', 'fail_cancel', 'fail_unknown_cancel_again', 'repeat_unknown_cancel'],
  },
  { title: 'Refunds', moves: ['request_refund', 'complete_refund', 'deny_refund'] },
  {
    title: 'Disputes',
    moves: ['request_chargeback', 'dispute_chargeback', 'win_chargeback', 'lose_chargeback'],
    statuses: ['paid', 'chargeback_requested', 'chargeback_dispute', 'chargeback_lost'],
  },
] as const satisfies readonly Chapter[];

/** The diagrams. Moves that no chapter shows are in an additional one, so a new move is never missing. */
export function paymentDiagrams(moves: Readonly<Record<string, StateMove>>): string {
  const shown = new Set<string>(CHAPTERS.flatMap((chapter) => chapter.moves));
  const rest = Object.keys(moves).filter((name) => !shown.has(name));
  const chapters = rest.length === 0 ? CHAPTERS : [...CHAPTERS, { title: 'Other changes', moves: rest }];
  return chapters.map((chapter) => figure(chapter, moves)).join('\n');
}

interface Chapter {
  readonly title: string;
  readonly moves: readonly string[];
  /** Shows only these statuses. Absent: all. */
  readonly statuses?: readonly string[];
  /** Shows some moves only from these statuses. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

function figure(
  { title, moves: names, statuses, sources = {} }: Chapter,
  moves: Readonly<Record<string, StateMove>>,
): string {
  const isShown = (status: string) => statuses === undefined || statuses.includes(status);
  const chosen = names.flatMap((name) => {
    const move = moves[name];
    if (move === undefined) return [];
    const from = sources[name] ?? move.from.filter(isShown);
    return [[name, { ...move, from, to: move.to.filter(isShown) }] as const];
  });
  const name = slugOf(title);
  const svg = stateDiagram(
    changesOf(Object.fromEntries(chosen)),
    `States of a payment: ${title}`,
    `states-${name}`,
  );
  return `<h3 id="${name}">${title}</h3>
<figure>${scrolling(svg, `Diagram: ${title}`)}</figure>`;
}

/** A table of all moves with their statuses and events, also of those that the diagrams omit. */
export function paymentMoveTable(moves: Readonly<Record<string, StateMove>>): string {
  const codes = (words: readonly string[]) =>
    words.map((word) => `<code>${escapeHtml(word)}</code>`).join(', ');
  const rows = Object.entries(moves).map(([name, { from, to, keeps = [], events }]) => [
    escapeHtml(wordsOf(name)),
    codes([...from, ...keeps]),
    codes(to) + (keeps.length > 0 ? `; ${codes(keeps)} does not change` : ''),
    codes(events),
  ]);
  return tableHtml(['Change', 'From', 'To', 'Events'], rows);
}
