/** Watches a run that has steps, so that one that hangs is reported and ended. */
export interface Progress extends Disposable {
  /** A step with this name begins. */
  at(step: string): void;
}

/** Calls `hung`, once, when no step begins for `limit_ms`. */
export function watchProgress(limit_ms: number, hung: (step: string) => void): Progress {
  let timer: NodeJS.Timeout | undefined;
  return {
    at(step) {
      clearTimeout(timer);
      timer = setTimeout(hung, limit_ms, step);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
