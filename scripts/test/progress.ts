/** Watches a run that goes on step by step, so that one that stands still is told of, and ended. */
export interface Progress extends Disposable {
  /** Names the step that begins now. */
  at(step: string): void;
}

/** Calls `stoodStill`, once, when no step begins for `limit_ms`. */
export function watchProgress(limit_ms: number, stoodStill: (step: string) => void): Progress {
  let timer: NodeJS.Timeout | undefined;
  return {
    at(step) {
      clearTimeout(timer);
      timer = setTimeout(stoodStill, limit_ms, step);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
