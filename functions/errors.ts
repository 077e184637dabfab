import type { Issue } from './shapes/issue.ts'

/** The kinds of expected failures, each with the HTTP status that `/v1` answers. */
export const kinds = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  notAcceptable: 406,
  conflict: 409,
  tooLarge: 413,
  tooMany: 429,
  tooSlow: 503,
  unavailable: 503,
  broken: 500,
} as const

export type FailureKind = keyof typeof kinds

/**
 * What the client can do about a failure. `stepUp`: re-authenticate; `enrol`: set up a second factor;
 * `secondFactor`: the password was right, the second step follows; `signInAgain`: it took too long; `newDevice`: this browser
 * has to be let in by the link of an email first; `reason`: open the place first, by saying why; `ownSignIn`: the session was opened
 * by an organization's provider and this takes the person's own sign-in; `ssoAgain`: prove to that provider once more that it is them.
 */
export const reasons = [
  'stepUp',
  'enrol',
  'secondFactor',
  'signInAgain',
  'newDevice',
  'reason',
  'ownSignIn',
  'ssoAgain',
] as const
export type Reason = (typeof reasons)[number]

/** The default message of each kind. */
const sentences: Record<FailureKind, string> = {
  invalid: 'Validation Error',
  unauthenticated: 'Unauthorized',
  forbidden: 'Forbidden',
  notFound: 'Not Found',
  notAcceptable: 'Not Acceptable',
  conflict: 'Conflict',
  tooLarge: 'Payload Too Large',
  tooMany: 'Too Many Requests',
  tooSlow: 'Something took longer than expected.',
  unavailable: 'Service Unavailable',
  broken: 'Internal Server Error',
}

/** An operation that the actor has no grant for, and its place; null: it belongs to no place. */
interface Lacks {
  operation: string
  placeId: string | null
  /** The operation in the actor's words, where its own sentence covers more: "see how the hub is used". */
  does?: string
}

/**
 * An expected failure. `message` is for the client; `cause` is only logged and never sent.
 * Issues carry the path of the request body: ['groupings', 0, 'field'].
 */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly issues: Issue[]
  /** Null: the message is enough. */
  readonly reason: Reason | null
  /** The operation that the actor's role lacks, from which the workspace derives who has it; null for every other failure. `/v1` does not send it. */
  readonly lacks: Lacks | null

  constructor(
    kind: FailureKind,
    details: { message?: string; issues?: Issue[]; reason?: Reason; lacks?: Lacks; cause?: unknown } = {},
  ) {
    super(details.message ?? sentences[kind], { cause: details.cause })
    this.name = 'Failure'
    this.kind = kind
    this.issues = details.issues ?? []
    this.reason = details.reason ?? null
    this.lacks = details.lacks ?? null
  }

  /** The HTTP status of this failure. */
  get status(): number {
    return kinds[this.kind]
  }
}

/** The failure of one wrong input, `name`, whose message is also that of the whole. */
export const createInputFailure = (name: string, message: string, cause?: unknown): Failure =>
  new Failure('invalid', { message, issues: [{ path: [name], message }], cause })

/** Converts anything thrown to a `Failure`: returns a failure as it is, wraps other errors as `broken` with the original as cause. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('broken', { cause: error })
}
