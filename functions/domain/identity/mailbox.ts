import type { Mail } from '#functions/context.ts'
import type { Post } from './deliver-mail.ts'

/** A received email. */
interface ReceivedMail extends Mail {
  receivedAt: Date
}

/** Receives emails in memory in place of a provider, for development and tests. */
export interface Mailbox {
  post: Post
  /** Newest first. */
  letters: ReceivedMail[]
}

/** Most emails stored; older ones are dropped. */
const most = 1000

export function openMailbox(): Mailbox {
  const letters: ReceivedMail[] = []
  return {
    letters,
    async post(mail) {
      letters.unshift({ ...mail, receivedAt: new Date() })
      letters.length = Math.min(letters.length, most)
      return true
    },
  }
}
