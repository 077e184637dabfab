import type { Mail } from '#functions/context.ts'
import type { Post } from './deliver-mail.ts'

/** A received email. */
interface Received extends Mail {
  receivedAt: Date
}

/** Receives emails in memory in place of a provider, for development and tests. */
export interface Mailbox {
  post: Post
  /** Newest first. */
  letters: Received[]
}

/** Most emails stored; older ones are dropped. */
const most = 1000

export function openMailbox(): Mailbox {
  const letters: Received[] = []
  return {
    letters,
    async post(mail) {
      letters.unshift({ ...mail, receivedAt: new Date() })
      letters.length = Math.min(letters.length, most)
      return true
    },
  }
}
