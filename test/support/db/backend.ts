/** Asks which process of Postgres runs it. Its parameter is `true`. */
export const OWN_PID = 'select pg_backend_pid() as pid where $1';

/** The process of Postgres that has answered `OWN_PID`. */
export async function backendOf(result: Promise<{ readonly rows: readonly unknown[] }>): Promise<number> {
  const [row] = (await result).rows;
  return (row as { readonly pid: number }).pid;
}
