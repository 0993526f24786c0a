import type { Queryable } from '../database.ts';

/** Writes a session that a page of the domain can request once, until `expiresAt` (wall time). */
export async function insertWalletSession(
  q: Queryable,
  session: { id: string; account: string; domainName: string; expiresAt: Date },
): Promise<void> {
  await q.query({
    name: 'insert-wallet-session',
    text: `insert into simulator.wallet_sessions (id, account, domain_name, expires_at) values ($1, $2, $3, $4)`,
    values: [session.id, session.account, session.domainName, session.expiresAt],
  });
}

/** Uses up a session. Returns false if it is unknown, of another domain, used or expired. */
export async function useWalletSession(
  q: Queryable,
  { id, domainName, now }: { id: string; domainName: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await q.query({
    name: 'use-wallet-session',
    text: `update simulator.wallet_sessions set is_used = true
      where id = $1 and domain_name = $2 and not is_used and expires_at > $3`,
    values: [id, domainName, now],
  });
  return rowCount === 1;
}

/** Puts the verification file of a domain in place. */
export async function writeWalletFile(q: Queryable, domainName: string, content: string): Promise<void> {
  await q.query({
    name: 'write-wallet-file',
    text: `insert into simulator.wallet_files (domain_name, content) values ($1, $2)
      on conflict (domain_name) do update set content = excluded.content`,
    values: [domainName, content],
  });
}

export async function findWalletFile(q: Queryable, domainName: string): Promise<string | undefined> {
  const { rows } = await q.query({
    name: 'find-wallet-file',
    text: 'select content from simulator.wallet_files where domain_name = $1',
    values: [domainName],
  });
  return rows[0]?.content;
}
