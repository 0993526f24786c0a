import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { EndpointStatus } from './endpoint.ts';

/** An endpoint. Nothing is queued for a disabled one, and its pending deliveries fail. */
const MOVES = {
  enable: { from: ['active', 'disabled'], to: ['active'], by: ['merchant'], events: [] },
  disable: { from: ['active', 'disabled'], to: ['disabled'], by: ['merchant'], events: [] },
  /** It failed for too long. */
  give_up: { from: ['active'], to: ['disabled'], by: ['clock'], events: [] },
} as const satisfies Moves<EndpointStatus>;

export type EndpointMove = keyof typeof MOVES;
export const endpointMachine: StateMachine<EndpointStatus, EndpointMove> = stateMachine(
  'a webhook endpoint',
  MOVES,
);

/** The move of a merchant that leads to each status. */
export const ENDPOINT_MOVE_TO: Readonly<Record<EndpointStatus, EndpointMove>> = {
  active: 'enable',
  disabled: 'disable',
};
