/** Why a call to an address that a merchant gave had no answer. */
export type OutgoingFailureCode =
  /** The URL breaks a rule for destinations, or its host has an address that is not public. Nothing was sent. */
  | 'blocked_destination'
  | 'unknown_host'
  | 'connection_failed'
  | 'connection_closed'
  | 'tls_failed'
  | 'timed_out'
  /** The answer is not HTTP, or its headers are too long. */
  | 'invalid_answer';
