import type { Mail } from '#functions/context.ts'
import type { Post } from './deliver-mail.ts'

/** An email as it was received. */
interface Received extends Mail {
  receivedAt: Date
}

/** Takes emails instead of a provider and keeps them in memory: for work on one machine, and for tests. */
export interface Mailbox {
  post: Post
  /** The newest first. */
  letters: Received[]
}

/** So many emails are kept, of the newest. */
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
