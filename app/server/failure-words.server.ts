import { issueWords } from '#app/components/form/issues.ts'
import { messageWords, refusalWords } from '#app/components/form/message-words.ts'
import { asFailure, Failure } from '#functions/errors.ts'

/**
 * A failure for anything thrown, in the words of a screen: programs compare what `/v1` says, and keep it. Kind, paths and values stay.
 */
export function failureInWords(error: unknown): Failure {
  const { kind, message, issues, reason, lacks, cause } = asFailure(error)
  return new Failure(kind, {
    say: refusalWords(message),
    issues: issues.map((issue) => ({ ...issue, message: messageWords(issue.message) })),
    ...(reason && { reason }),
    ...(lacks && { lacks }),
    cause,
  })
}

/** What is wrong, in one sentence: the first issue with where it is, or the failure's own sentence. */
export function firstSentence(error: unknown): string {
  const { issues, message } = failureInWords(error)
  return issues[0] ? issueWords(issues[0]) : message
}
