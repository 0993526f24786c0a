import { resetSandbox as reset } from '../../services/sandbox/reset-sandbox.ts';
import type { Handler } from '../http/handler.ts';

export const resetSandbox: Handler<'resetSandbox'> = ({ deps, merchant, newId, answer }) =>
  reset(
    deps,
    merchant,
    { id: newId },
    answer((deleted) => ({ status: 200, body: { deleted: { ...deleted } } })),
  );
