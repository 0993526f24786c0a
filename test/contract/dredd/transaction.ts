/** Dredd's transaction, as far as the hooks touch it. Dredd is JavaScript of before types. */
export interface Transaction {
  /** `POST (201) /customers` */
  readonly id: string;
  readonly origin: Origin;
  readonly request: {
    readonly method: string;
    /** The path below the server's prefix, with the first examples of its parameters in it. */
    uri: string;
    headers: Record<string, string>;
    body: string;
  };
  readonly expected: {
    readonly statusCode: string;
    headers: Record<string, string>;
    body?: string | undefined;
  };
  /** Where the request goes. */
  host: string;
  port: string;
  fullPath: string;
  /** The answer, once there is one. */
  readonly real?: RealAnswer;
  /** A text makes the transaction fail and says why. */
  fail: string | false;
  skip: boolean;
}

export interface Origin {
  /** Path template: `/customers/{identifier}`. */
  readonly resourceName: string;
}

export interface RealAnswer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** What Dredd reports about a transaction. */
export interface ReportedTest {
  readonly title: string;
  readonly message: string;
  readonly origin: Origin;
  readonly errors?: readonly { readonly message: string }[];
  readonly request?: Transaction['request'];
  readonly actual?: RealAnswer;
}
