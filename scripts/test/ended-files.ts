import type { EventData, TestsStream } from 'node:test';
import type { Counts } from './counts.ts';
import type { EndedFile } from './folders.ts';
import type { Process } from './groups.ts';

/** `entryFile` is what the process that sent the event runs. The event of a whole process has none. */
type OfProcess<Event> = Event & { readonly entryFile?: string };

/**
 * Reports each file at its end. A file with a process of its own is not good when the process failed, even when its
 * tests passed. Resolves the counts of a run to those of its tests: Node counts each file of a group as one more test.
 */
export function watchFiles(
  events: TestsStream,
  processes: readonly Process[],
  report: (file: EndedFile) => void,
): { withoutFiles(counts: Counts): Counts } {
  const ends = new Map(processes.map((process) => [process.path, new ProcessEnd(process, report)]));
  events.on('test:complete', (event: OfProcess<EventData.TestComplete>) => {
    const { entryFile, name, details } = event;
    if (entryFile === undefined) ends.get(name)?.ended(details);
    else ends.get(entryFile)?.completed(event);
  });
  events.on('test:fail', ({ entryFile }: OfProcess<EventData.TestFail>) => {
    if (entryFile !== undefined) ends.get(entryFile)!.failed = true;
  });
  // The last event of a process. It may come before the process has ended, or long after.
  events.on('test:summary', ({ file }) => {
    if (file !== undefined) ends.get(file)?.reported();
  });
  return {
    withoutFiles: (counts) => [...ends.values()].reduce((left, end) => end.withoutFiles(left), counts),
  };
}

interface Details {
  readonly passed: boolean;
  readonly duration_ms: number;
  readonly type?: string | undefined;
  readonly error?: Error & { readonly failureType?: string };
}

class ProcessEnd {
  failed = false;
  readonly #process: Process;
  readonly #report: (file: EndedFile) => void;
  #tests = 0;
  #isReported = false;
  #end: Details | undefined;
  /** Files of a group that ended, as Node counts them. */
  #passedFiles = 0;
  #failedFiles = 0;
  readonly #open: Set<string>;

  constructor(process: Process, report: (file: EndedFile) => void) {
    this.#process = process;
    this.#report = report;
    this.#open = new Set(process.files);
  }

  completed({ name, nesting, details }: EventData.TestComplete): void {
    if (this.#isGroup && nesting === 0) this.#completedFile(name, details as Details);
    else if (details.type === 'test') this.#tests += 1;
  }

  /** The process has ended. One that crashed may report nothing else. */
  ended(details: Details): void {
    this.#end = details;
    if (this.#isReported || !details.passed) this.#print(details);
  }

  reported(): void {
    this.#isReported = true;
    if (this.#end?.passed) this.#print(this.#end);
  }

  withoutFiles({ passed, failed, skipped }: Counts): Counts {
    return { passed: passed - this.#passedFiles, failed: failed - this.#failedFiles, skipped };
  }

  get #isGroup(): boolean {
    return this.#process.files.length > 1;
  }

  #completedFile(path: string, { passed, duration_ms, error }: Details): void {
    // A file that failed by itself, such as one that cannot be loaded, stays counted.
    if (passed) this.#passedFiles += 1;
    else if (error?.failureType === 'subtestsFailed') this.#failedFiles += 1;
    this.#open.delete(path);
    this.#report({ path, tests: this.#tests, duration_ms, isGood: passed });
    this.#tests = 0;
  }

  /** Reports the file, or those of a group that its process did not reach. */
  #print({ passed, duration_ms }: Details): void {
    const isGood = passed && !this.failed;
    for (const path of this.#open) this.#report({ path, tests: this.#tests, duration_ms, isGood });
    const isExplained = isGood || this.failed || this.#open.size > 0;
    if (isExplained || !this.#isGroup) return;
    process.stdout.write(`✖ the process of ${this.#process.files.join(', ')} failed\n`);
  }
}
