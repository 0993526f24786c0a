import { advanceClock as advance } from '../../services/clock/advance-clock.ts';
import type { Handler } from '../http/handler.ts';
import { advanceAnswer } from './clock-answer.ts';

export const advanceClock: Handler<'advanceClock'> = ({ deps, merchant, body, newId, isRerun, answer }) =>
  advance(
    deps,
    merchant,
    { id: newId, isRerun, to: body.to ?? null, days: body.days ?? null },
    answer((advanced) => ({ status: advanced.target === null ? 200 : 202, body: advanceAnswer(advanced) })),
  );
