import type { Move, StateMachine } from '../../../domain/state-machine.ts';

/** Every state that a move of the machine names. No other state has a legal step. */
export function statesOf<State extends string, Name extends string, Event extends string>(
  machine: StateMachine<State, Name, Event>,
): readonly State[] {
  const moves = Object.values<Move<State, Event>>(machine.moves);
  return [...new Set(moves.flatMap(({ from, to, keeps = [] }) => [...from, ...to, ...keeps]))];
}

/** For each move, `from → to` of every legal step. */
export function stepsOf<State extends string, Name extends string, Event extends string>(
  machine: StateMachine<State, Name, Event>,
  states = statesOf(machine),
): Record<string, string[]> {
  const names = Object.keys(machine.moves) as Name[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      states.flatMap((from) =>
        states.filter((to) => machine.allows(name, from, to)).map((to) => `${from} → ${to}`),
      ),
    ]),
  );
}

/** For each move, its actors and its events. */
export function actorsAndEvents<State extends string, Name extends string, Event extends string>(
  machine: StateMachine<State, Name, Event>,
): Record<string, { readonly by: string; readonly events: readonly string[] }> {
  const names = Object.keys(machine.moves) as Name[];
  return Object.fromEntries(
    names.map((name) => {
      const { by, events } = machine.moves[name];
      return [name, { by: by.join(', '), events }];
    }),
  );
}
