import { deleteWalletDomain as remove } from '../../services/wallet/delete-domain.ts';
import type { Handler } from '../http/handler.ts';

export const deleteWalletDomain: Handler<'deleteWalletDomain'> = ({ deps, merchant, path, answer }) =>
  remove(
    deps,
    merchant,
    path.id,
    answer(() => ({ status: 204, body: undefined })),
  );
