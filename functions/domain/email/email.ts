import type { Mail, Settings } from '#functions/context.ts'

/** An email before it is dressed. */
export interface Draft {
  /** One line. */
  subject: string
  lines: string[]
  link: { label: string; path: string }
  after?: string
  /** A path that stops such emails: by a visit and a click, or by a POST alone. */
  stop?: string
  /** Where a path has a token in it (`tokenMark`): whose or of what. */
  about?: Mail['about']
}

/** Stands in the paths of an email where its token comes: the token is made when the email is sent. */
export const tokenMark = '{token}'

/**
 * Plain text and HTML of the same words. Hosts of links are the app's own, from the settings; nothing in it is fetched
 * when it is opened. Throws where a path has a token already. With `stop` mail programs can offer to stop such emails with one click (RFC 8058).
 */
export function composeEmail(to: string, settings: Settings, draft: Draft): Mail {
  const { link, stop, about } = draft
  const subject = withoutMark(draft.subject)
  const lines = draft.lines.map(withoutMark)
  const label = withoutMark(link.label)
  const after = draft.after === undefined ? undefined : withoutMark(draft.after)
  const origin = `${settings.scheme}://${settings.appHost}`
  for (const path of [link.path, stop ?? ''])
    if (/[?&]token=(?!\{token\}$)/.test(path))
      throw new Error('A letter has no token before it is sent: its path ends with tokenMark.')
  const linkOf = (label: string, path: string) => {
    const href = escape(`${origin}${path}`)
    return {
      text: ['', `${label}:`, `${origin}${path}`],
      html: `<p><a href="${href}" rel="noreferrer" referrerpolicy="no-referrer">${escape(label)}</a></p>`,
    }
  }
  const parts = [
    // An empty line parts lines of the text; paragraphs are apart by themselves.
    ...lines.map((line) => ({ text: [line], html: line === '' ? '' : `<p>${escape(line)}</p>` })),
    linkOf(label, link.path),
    ...(after === undefined ? [] : [{ text: ['', after], html: `<p>${escape(after)}</p>` }]),
    ...(stop === undefined ? [] : [linkOf('Stop these emails', stop)]),
  ]
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escape(subject)}</title></head><body>`,
    ...parts.map((part) => part.html),
    '</body></html>',
  ].join('')
  const text = [...parts.flatMap((part) => part.text), ''].join('\n')
  const mail = { to, subject, text, html, ...(about && { about }) }
  if (stop === undefined) return mail
  const headers = {
    'List-Unsubscribe': `<${origin}${stop}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  return { ...mail, headers }
}

/** Words with no place for a token: a name that somebody chose would be given it, in a link of theirs. */
const withoutMark = (text: string) => text.replaceAll(tokenMark, '(token)')

/** The email with its token where that comes. The subject has none. */
export function withToken(mail: Mail, token: string): Mail {
  const fill = (text: string) =>
    text.replaceAll(`token=${tokenMark}`, () => `token=${encodeURIComponent(token)}`)
  const headers =
    mail.headers && Object.fromEntries(Object.entries(mail.headers).map(([name, text]) => [name, fill(text)]))
  return { ...mail, text: fill(mail.text), html: fill(mail.html), ...(headers && { headers }) }
}

/** A text as it stands in HTML, in an attribute too. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A text without line breaks and what else steers instead of saying something: for subjects and titles. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** Words of a stranger as one short line. Mail programs make links of addresses by themselves, so those lose what makes them one. */
export function quoteText(text: string, most: number): string {
  const line = oneLine(text)
    .replace(/\b([a-z][a-z0-9+.-]{0,20}):\/\//gi, '$1: //')
    .replace(/\bwww\./gi, 'www .')
    .replace(/token=/gi, 'token: ')
  const characters = [...line]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line
}

/** The path of a screen of one organization: who works in another one is led into this first. */
export const pathInPlace = (path: string, placeId: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}placeId=${encodeURIComponent(placeId)}`

/** A day as everybody reads it alike, by UTC. */
export const dayInWords = (at: Date): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(at)

/** A moment to the minute; emails know no time zone of their readers, so it says that it is UTC. */
export const momentInWords = (at: Date): string =>
  `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`

/** What an organization calls itself, as it stands in emails: its administrators choose it, so it can be neither long nor a link. */
export const placeNameIn = (displayName: string): string => quoteText(displayName, 100)
