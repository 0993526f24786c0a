import type pg from 'pg';

/**
 * Settings of each connection, whatever the configuration of the server is. Most make Postgres end the session of a
 * client that has stopped or cannot be reached.
 *
 * - idle_in_transaction_session_timeout: our transactions send one statement after another and wait for nothing else,
 *   in particular not for the acquirer. So 5 s without a statement mean that the process has stopped. Its row locks are
 *   then released, before the transactions that wait for them give up after 10 s (lock_timeout).
 * - tcp_keepalives_*, tcp_user_timeout: a client machine that is gone is noticed after 20 s. Our own side gives up
 *   after the same time (statement_timeout plus 5 s). They have no effect on a Unix socket.
 * - client_connection_check_interval: the same while a statement runs.
 * - max_parallel_workers_per_gather: a prepared search for due work runs by a plan that expects a third of the table to
 *   be due. With 1,000,000 rows, Postgres started two processes for each search of 0.2 ms: 12 ms on an idle machine,
 *   and 100 ms and more on a busy one. No statement of ours is long enough for a second process.
 * - citus.max_adaptive_executor_pool_size: only Citus reads it. A search for due work asks every shard, and takes a
 *   millisecond on each. Over one connection to each server, it took 26 ms with 32 shards. With the default, Citus
 *   opens up to 16 connections to each server for it, and it took 103 ms.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  idle_in_transaction_session_timeout: '5s',
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '2',
  tcp_user_timeout: '20s',
  client_connection_check_interval: '5s',
  max_parallel_workers_per_gather: '0',
  'citus.max_adaptive_executor_pool_size': '1',
};

/** Skips a setting that the server or its platform does not support. */
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

/** Applies the settings to a new connection. */
export async function prepareSession(client: Pick<pg.Client, 'query'>): Promise<void> {
  await client.query(APPLY);
}
