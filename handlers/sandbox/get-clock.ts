import { getClock as readClock } from '../../services/clock/get-clock.ts';
import type { Handler } from '../http/handler.ts';
import { clockAnswer } from './clock-answer.ts';

export const getClock: Handler<'getClock'> = async ({ deps, merchant }) => ({
  status: 200,
  body: clockAnswer(await readClock(deps, merchant)),
});
