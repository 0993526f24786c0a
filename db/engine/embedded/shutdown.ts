import { join } from 'node:path';
import { type Cluster, clusterName } from './cluster.ts';
import { commandLine, readOrEmpty } from './start-lock.ts';

/**
 * How long a fast shutdown (SIGINT) may take before it becomes an immediate one (SIGQUIT). A fast shutdown never ends
 * if Postgres is recovering from a killed backend: the checkpointer waits for a signal that is not sent (seen with
 * 17.10). After an immediate shutdown the next start replays the log, so no committed row is lost.
 */
const FAST_S = 5;
/**
 * How long an immediate shutdown may take before the server is killed. Postgres itself kills backends that do not end
 * within 5 s.
 */
const IMMEDIATE_S = 8;
/** How long a start waits for the other process's shell to end the server, before it ends the server itself. */
const GRACE_S = 1;

/**
 * Runs the server, and shuts it down when file descriptor 3 closes. Only this process has the other end, so the kernel
 * closes it even after kill -9. The shell is the parent of the server, so the pid is not reused before `wait` returns.
 * When the watcher is killed, its `sleep` process survives it, so each `sleep` lasts only one second.
 */
export const WATCHED_SERVER = `
  trap '' HUP INT TERM
  "$@" 3<&- & server=$!
  shut_down() { kill -$1 $server; for step in $2; do sleep 1; done; }
  { read -r _ <&3
    shut_down INT '${steps(FAST_S)}'
    shut_down QUIT '${steps(IMMEDIATE_S)}'
    kill -KILL $server; } & watcher=$!
  wait $server; status=$?
  kill -KILL $watcher 2>/dev/null
  exit $status`;

function steps(seconds: number): string {
  return Array.from({ length: seconds }, (_, index) => index + 1).join(' ');
}

/** The pid of the cluster's server; undefined if it does not run. */
export function serverPid(cluster: Cluster): number | undefined {
  const pid = Number.parseInt(readOrEmpty(join(cluster.data, 'postmaster.pid')), 10);
  return pid > 0 && commandLine(pid).includes(clusterName(cluster)) ? pid : undefined;
}

/** Whether the server is shutting down, and so accepts no connection. */
function isStopping(cluster: Cluster): boolean {
  return /^stopping\s*$/m.test(readOrEmpty(join(cluster.data, 'postmaster.pid')));
}

/**
 * Watches a server that is shutting down, and kills it if that takes too long, for example because its watcher was
 * killed. Each call of the returned function checks once and returns whether the server is stopping. Call it until the
 * server has ended.
 */
export function shutdownMonitor(cluster: Cluster): () => boolean {
  const begun = new Map<number, number>();
  return () => {
    const pid = serverPid(cluster);
    if (pid === undefined || !isStopping(cluster)) return false;
    const since = begun.get(pid) ?? performance.now();
    begun.set(pid, since);
    const passed_s = (performance.now() - since) / 1_000;
    if (passed_s > FAST_S + IMMEDIATE_S + GRACE_S) send(pid, 'SIGKILL');
    else if (passed_s > FAST_S + GRACE_S) send(pid, 'SIGQUIT');
    return true;
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}
