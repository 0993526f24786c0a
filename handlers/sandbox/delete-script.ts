import { deleteScript as drop } from '../../services/sandbox/delete-script.ts';
import type { Handler } from '../http/handler.ts';

export const deleteScript: Handler<'deleteScript'> = async ({ deps, merchant, path }) => {
  await drop(deps, merchant, path.id);
  return { status: 204, body: undefined };
};
