import type { Mail, Settings } from '#functions/context.ts'
import { composeEmail } from '#functions/domain/email/email.ts'
import { reopenDays } from '#functions/shapes/placeClosing.ts'

interface ClosedFacts {
  id: string
  name: string
  endsAt: Date
  /** Who did it; null: not a person. */
  by: string | null
}

/** Where a closed place is opened again. */
export const reopenPath = '/organization/closed'

/** Tells an administrator that the place was closed, until when that can be undone, and where. */
export function closedEmail(to: string, settings: Settings, { id, name, endsAt, by }: ClosedFacts): Mail {
  return composeEmail(to, settings, {
    subject: 'Your organization was closed',
    lines: [
      `${name} (${id}) on Commonplace was closed${by === null ? '' : ` by ${by}`}. Nobody sees its hub, its data or its workspace any more, and nothing of it runs.`,
      `You can open it again for ${reopenDays} days, as it was. On ${dayOf(endsAt)} everything that it has is deleted for good.`,
    ],
    link: { label: 'Open it again', path: reopenPath },
    after: 'Its id and its addresses are never given to another organization.',
  })
}

/** Tells an administrator that the place is open again. */
export function reopenedEmail(to: string, settings: Settings, { id, name, by }: ClosedFacts): Mail {
  return composeEmail(to, settings, {
    subject: 'Your organization is open again',
    lines: [
      `${name} (${id}) on Commonplace was opened again${by === null ? '' : ` by ${by}`}, as it was. Its hub is made anew, which takes some minutes.`,
    ],
    link: { label: 'Go to the workspace', path: '/' },
  })
}

/** A day as everybody reads it alike, by UTC. */
const dayOf = (at: Date) => new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
