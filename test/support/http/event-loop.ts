/**
 * Measures how long the event loop, which a service shares with its test, is blocked. `stop` returns the longest time,
 * in ms of processor time, which a busy machine does not stretch.
 */
export function watchEventLoop() {
  const busy_ms = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let longest_ms = 0;
  let last = busy_ms();
  const look = () => {
    const now = busy_ms();
    longest_ms = Math.max(longest_ms, now - last);
    last = now;
  };
  const beat = setInterval(look, 5);
  return {
    stop() {
      clearInterval(beat);
      look();
      return longest_ms;
    },
  };
}
