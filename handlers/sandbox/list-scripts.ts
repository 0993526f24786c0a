import { listScripts as listStored } from '../../services/sandbox/list-scripts.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { scriptAnswer } from './script-answer.ts';

export const listScripts: Handler<'listScripts'> = async ({ deps, merchant, query }) => {
  const page = await listStored(deps, merchant, pageInput(query));
  return { status: 200, body: pageAnswer(page, scriptAnswer) };
};
