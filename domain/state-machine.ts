/** Who may request a move. `clock`: a background job, because time has passed. */
export type Actor = 'merchant' | 'acquirer' | 'operator' | 'clock';

/** One legal move of a state machine. */
export interface Move<State extends string, Event extends string> {
  readonly from: readonly State[];
  /** The possible states after the move. Several, if amounts or the payment method decide which one. */
  readonly to: readonly State[];
  /** States in which the move is legal but does not change the state. Its events are emitted. */
  readonly keeps?: readonly State[];
  readonly by: readonly Actor[];
  /** The events that the move emits, in this order. */
  readonly events: readonly Event[];
}

/** All legal moves of a state machine, by name. */
export type Moves<State extends string, Event extends string = never> = Readonly<
  Record<string, Move<State, Event>>
>;

/** A request for a move: the actor and, for a move with several targets, the target. */
export interface MoveRequest<State extends string> {
  readonly by: Actor;
  readonly to?: State;
}

/** What a conditional update writes: a row in one of the states `from` gets the state `to`. */
export interface RowMove<State extends string> {
  readonly from: readonly State[];
  readonly to: State;
}

/** A table of moves with functions that check and apply it. */
export interface StateMachine<State extends string, Name extends string, Event extends string = never> {
  readonly moves: Readonly<Record<Name, Move<State, Event>>>;
  /** Whether the move is legal in a state; with `to`, also whether it may lead there. */
  allows(move: Name, from: State, to?: State): boolean;
  /**
   * The state after the move. Without `to`, it is the only target of the move, or the state itself if the move leaves
   * it unchanged. Throws when the table does not allow the move: callers ask `allows` first.
   */
  next(move: Name, from: State, request: MoveRequest<State>): State;
  /**
   * A move as a conditional update, which does not read the state of the row first. Throws if the move has several
   * targets.
   */
  rowMove(move: Name, by: Actor): RowMove<State>;
}

/** A state machine over `moves`. `subject` names it in errors: "a payment". */
export function stateMachine<State extends string, Name extends string, Event extends string = never>(
  subject: string,
  moves: Readonly<Record<Name, Move<State, Event>>>,
): StateMachine<State, Name, Event> {
  const allows = (move: Name, from: State, to?: State) => {
    const { from: sources, to: targets, keeps = [] } = moves[move];
    if (keeps.includes(from)) return to === undefined || to === from;
    return sources.includes(from) && (to === undefined || targets.includes(to));
  };
  const onlyTarget = (move: Name) => {
    const { to } = moves[move];
    if (to.length !== 1) throw new Error(`The move ${move} has several targets: name one.`);
    return to[0]!;
  };
  const assertActor = (move: Name, by: Actor) => {
    if (!moves[move].by.includes(by)) throw new Error(`The move ${move} of ${subject} is not for: ${by}.`);
  };
  return {
    moves,
    allows,
    next(move, from, { by, to = moves[move].keeps?.includes(from) ? from : onlyTarget(move) }) {
      assertActor(move, by);
      if (!allows(move, from, to)) throw new Error(`${subject} that is ${from} cannot ${move} to ${to}.`);
      return to;
    },
    rowMove(move, by) {
      assertActor(move, by);
      return { from: moves[move].from, to: onlyTarget(move) };
    },
  };
}
