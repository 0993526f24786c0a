/** A program that a story needs. */
export interface Tool {
  readonly command: string;
  /** With these arguments, run at the root of the project, it exits with 0 if it is installed and new enough. */
  readonly asks: readonly string[];
  /** What to install. */
  readonly what: string;
}

/**
 * How the story of a client is compiled and run: commands for a shell at the root of the project. `CENTAVO_URL` is the
 * address of a sandbox.
 */
export interface Story {
  readonly tools: readonly Tool[];
  /** For generators other than openapi-generator, these also generate the client. */
  readonly build: readonly string[];
  /** The program and its command; absent when the client is only compiled and checked. */
  readonly source?: string;
  readonly run?: string;
  /** A command that checks other requirements of the client. It passes when it exits with 0. */
  readonly check?: string;
}
