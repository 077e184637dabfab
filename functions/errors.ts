import type { Issue } from './shapes/issue.ts'

/** Everything that can go wrong on purpose. The number is the status that `/v1` answers. */
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
 * What the asker can do about a refusal. `stepUp`: prove once more that it is them; `enrol`: set up a second factor;
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

/** What a person is told when the failure itself says nothing. */
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

/** An operation that nobody let the asker do, and the place it is about; null: it is of no place. */
export interface Lacks {
  operation: string
  placeId: string | null
  /** What it is to the asker, where the operation is about more: "see how the hub is used". */
  does?: string
}

/**
 * A refusal with a reason. `say` is for the person who asked; `cause` is for us and is never sent.
 * Issues carry the path the sender used: ['groupings', 0, 'field'].
 */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly issues: Issue[]
  /** Null: the sentence says it all. */
  readonly reason: Reason | null
  /** The operation that a role lacks, by which the workspace says who has it; null for every other refusal. `/v1` does not send it. */
  readonly lacks: Lacks | null

  constructor(
    kind: FailureKind,
    details: { say?: string; issues?: Issue[]; reason?: Reason; lacks?: Lacks; cause?: unknown } = {},
  ) {
    super(details.say ?? sentences[kind], { cause: details.cause })
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

/** A failure for anything thrown: itself, or `broken` with the original as its hidden cause. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure('broken', { cause: error })
}
