import { issueWords } from '#app/components/form/issues.ts'
import { messageWords, refusalWords } from '#app/components/form/message-words.ts'
import { asFailure, Failure } from '#functions/errors.ts'

/**
 * Converts anything thrown to a failure with messages for people. `/v1` keeps its own messages, as programs compare them. Kind, paths
 * and values are unchanged.
 */
export function toReadableFailure(error: unknown): Failure {
  const { kind, message, issues, reason, lacks, cause } = asFailure(error)
  return new Failure(kind, {
    message: refusalWords(message),
    issues: issues.map((issue) => ({ ...issue, message: messageWords(issue.message) })),
    ...(reason && { reason }),
    ...(lacks && { lacks }),
    cause,
  })
}

/** The error in one sentence: the first issue with its location, or the failure's own message. */
export function describeErrorBriefly(error: unknown): string {
  const { issues, message } = toReadableFailure(error)
  return issues[0] ? issueWords(issues[0]) : message
}
