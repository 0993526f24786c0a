import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import { API_KEY_STATUSES, type ApiKeyStatus } from './api-key.ts';

const NOT_REVOKED = ['active', 'disabled', 'suspended'] as const;

/** An API key. Every change can be undone except a revocation, which is final. */
const MOVES = {
  enable: { from: NOT_REVOKED, to: ['active'], by: ['operator'], events: [] },
  disable: { from: NOT_REVOKED, to: ['disabled'], by: ['operator'], events: [] },
  suspend: { from: NOT_REVOKED, to: ['suspended'], by: ['operator'], events: [] },
  revoke: { from: API_KEY_STATUSES, to: ['revoked'], by: ['operator'], events: [] },
} as const satisfies Moves<ApiKeyStatus>;

export type ApiKeyMove = keyof typeof MOVES;
export const apiKeyMachine: StateMachine<ApiKeyStatus, ApiKeyMove> = stateMachine('an API key', MOVES);

/** The move that leads to each status. */
export const API_KEY_MOVE_TO: Readonly<Record<ApiKeyStatus, ApiKeyMove>> = {
  active: 'enable',
  disabled: 'disable',
  suspended: 'suspend',
  revoked: 'revoke',
};
