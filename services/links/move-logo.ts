import type { Queryable } from '../../db/engine/database.ts';
import { addLogo, type DueLogo, type LogoResult, moveLogoRow } from '../../db/links/logos.ts';
import { type LogoMove, logoMachine } from '../../domain/links/logo-moves.ts';
import type { TransactionContext } from '../deps.ts';

/**
 * Requests the logo at `url`, before a link refers to it. A logo that the merchant has already is fetched again only if
 * the last attempt failed. Its row is locked until the transaction ends.
 */
export async function requestLogo({ deps, tx, merchant }: TransactionContext, url: string): Promise<void> {
  const dueAt = deps.wall();
  await addLogo(tx, merchant, { url, dueAt });
  const { from } = logoMachine.rowMove('request', 'merchant');
  await moveLogoRow(tx, merchant, { url, from, result: { dueAt } });
}

/** Writes the result of an attempt, unless another process has written one. */
export async function moveLogo(
  q: Queryable,
  due: DueLogo,
  move: Exclude<LogoMove, 'request'>,
  result: LogoResult,
): Promise<void> {
  await moveLogoRow(q, due, { url: due.url, from: logoMachine.rowMove(move, 'clock').from, result });
}
