/** The steps of a request that writes records and then calls the acquirer. */
interface RequestSteps<Begun, Answer> {
  /** An earlier run of this request may have written the records. */
  readonly isRerun: boolean;
  /** Settles what an earlier run has written. Undefined if none has written anything. */
  readonly resume: () => Promise<{ readonly answer: Answer } | undefined>;
  /** Writes the records. */
  readonly begin: () => Promise<Begun>;
  /** Sends the command for the records to the acquirer, and settles it. */
  readonly send: (begun: Begun) => Promise<Answer>;
}

/**
 * Runs a request that calls the acquirer. If an earlier run of the request has written the records, these are settled
 * instead.
 */
export async function runOrResume<Begun, Answer>(steps: RequestSteps<Begun, Answer>): Promise<Answer> {
  const { isRerun, resume, begin, send } = steps;
  const earlier = isRerun ? await resume() : undefined;
  if (earlier !== undefined) return earlier.answer;
  let begun: Begun;
  try {
    begun = await begin();
  } catch (error) {
    // A slow earlier run of this request has written the records in the meantime, so this run conflicts with it.
    const own = isRerun ? await resume() : undefined;
    if (own !== undefined) return own.answer;
    throw error;
  }
  return send(begun);
}
