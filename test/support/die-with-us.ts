import type { ChildProcess } from 'node:child_process';

/** A child that a failing test does not get to stop is killed, at the latest, when the process of its file exits. */
export function dieWithUs<Child extends ChildProcess>(child: Child): Child {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}
