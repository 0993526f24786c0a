import type pg from 'pg';

/**
 * What Postgres does about a client that stops, or that it cannot reach any more. Each connection asks for it, so that
 * it holds whatever the server's own configuration says.
 *
 * idle_in_transaction_session_timeout: a transaction of ours makes one statement after another and waits for nothing
 *   else, in particular not for the acquirer, so 5 s of silence mean that its process is stopped. Others wait 10 s for
 *   a row lock (lock_timeout), so they get the row and are not refused.
 * tcp_keepalives_*, tcp_user_timeout: a machine that is gone is noticed after 20 s, as soon as our own side gives up a
 *   statement (statement_timeout and 5 s). On a Unix socket they have no effect.
 * client_connection_check_interval: the same while a statement runs, at most 15 s.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  idle_in_transaction_session_timeout: '5s',
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '2',
  tcp_user_timeout: '20s',
  client_connection_check_interval: '5s',
};

/** A setting that this server or its platform does not have is left out. */
const APPLY = `do $$
declare setting record;
begin
  for setting in select * from (values
    ${Object.entries(SETTINGS)
      .map(([name, value]) => `('${name}', '${value}')`)
      .join(', ')}) as s (name, value)
  loop
    begin
      perform set_config(setting.name, setting.value, false);
    exception when undefined_object or invalid_parameter_value or feature_not_supported then
      null;
    end;
  end loop;
end $$`;

/** Sets up a new connection: Postgres ends it when this process stops inside a transaction, or is gone. */
export async function prepareSession(client: Pick<pg.Client, 'query'>): Promise<void> {
  await client.query(APPLY);
}
