import type { Mail, Settings } from '#functions/context.ts'

/** An email before layout. */
export interface Draft {
  /** One line. */
  subject: string
  lines: string[]
  link: { label: string; path: string }
  after?: string
  /** The path to unsubscribe: by a visit and a click, or by a POST alone. */
  stop?: string
  /** The purpose of the token where a path has one (`tokenMark`). */
  about?: Mail['about']
}

/** A placeholder for the token in the paths of an email: the token is created when the email is sent. */
export const tokenMark = '{token}'

/**
 * Composes an email as plain text and HTML with the same content. Hosts of links are the app's own, from the settings;
 * opening it fetches nothing. Throws where a path has a token already. With `stop` mail clients can offer to unsubscribe
 * with one click (RFC 8058).
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
      throw new Error('An email has no token before it is sent: its path ends with tokenMark.')
  const renderLink = (label: string, path: string) => {
    const href = escape(`${origin}${path}`)
    return {
      text: ['', `${label}:`, `${origin}${path}`],
      html: `<p><a href="${href}" rel="noreferrer" referrerpolicy="no-referrer">${escape(label)}</a></p>`,
    }
  }
  const parts = [
    // In plain text, paragraphs are separated by an empty line.
    ...lines.map((line) => ({ text: [line], html: line === '' ? '' : `<p>${escape(line)}</p>` })),
    renderLink(label, link.path),
    ...(after === undefined ? [] : [{ text: ['', after], html: `<p>${escape(after)}</p>` }]),
    ...(stop === undefined ? [] : [renderLink('Stop these emails', stop)]),
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

/**
 * Removes the token placeholder from a text: otherwise the token would be inserted into user input, such as a
 * malicious link.
 */
const withoutMark = (text: string) => text.replaceAll(tokenMark, '(token)')

/** Replaces the placeholders in the paths of an email by its token. The subject has none. */
export function withToken(mail: Mail, token: string): Mail {
  const fill = (text: string) =>
    text.replaceAll(`token=${tokenMark}`, () => `token=${encodeURIComponent(token)}`)
  const headers =
    mail.headers && Object.fromEntries(Object.entries(mail.headers).map(([name, text]) => [name, fill(text)]))
  return { ...mail, text: fill(mail.text), html: fill(mail.html), ...(headers && { headers }) }
}

/** Escapes a text for HTML, including attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Removes line breaks and other control characters: for subjects and titles. */
export function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** An untrusted text as one short line. Mail clients turn URLs into links, so the characters that make one are removed. */
export function quoteText(text: string, most: number): string {
  const line = toSingleLine(text)
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

/** A time to the minute, in UTC, because the time zone of the reader is unknown. */
export const momentInWords = (at: Date): string =>
  `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`

/** The name of an organization for emails: untrusted, so it is shortened and cannot be a link. */
export const placeNameIn = (displayName: string): string => quoteText(displayName, 100)
