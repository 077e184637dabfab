import type { Mail, Settings } from '#functions/context.ts'
import {
  composeEmail,
  dayInWords,
  pathInPlace,
  placeNameIn,
  quoteText,
} from '#functions/domain/email/email.ts'
import { reopenDays } from '#functions/shapes/place-closing.ts'

interface ClosedFacts {
  id: string
  name: string
  endsAt: Date
  /** Who did it; null: not a person. */
  by: string | null
}

/** Where a closed place is opened again. */
const reopenPath = '/organization/closed'

/** Notifies an administrator that the place was closed, until when it can be reopened, and where. */
export function composeClosedEmail(to: string, settings: Settings, { name, endsAt, by }: ClosedFacts): Mail {
  return composeEmail(to, settings, {
    subject: 'Your organization was closed',
    lines: [
      `${placeNameIn(name)} on Commonplace was closed${by === null ? '' : ` by ${quoteText(by, 100)}`}. Nobody sees its hub, its data or its workspace any more, and nothing of it runs.`,
      `You can open it again for ${reopenDays} days, as it was. On ${dayInWords(endsAt)} everything that it has is deleted for good.`,
    ],
    link: { label: 'Open it again', path: reopenPath },
    after: 'Its id and its addresses are never given to another organization.',
  })
}

/** Notifies an administrator that the place was reopened. */
export function reopenedEmail(to: string, settings: Settings, { id, name, by }: ClosedFacts): Mail {
  return composeEmail(to, settings, {
    subject: 'Your organization is open again',
    lines: [
      `${placeNameIn(name)} on Commonplace was opened again${by === null ? '' : ` by ${quoteText(by, 100)}`}, as it was. Its hub is made anew, which takes some minutes.`,
    ],
    link: { label: 'Go to the workspace', path: pathInPlace('/home', id) },
  })
}
