export interface ErrorTexts {
  title: string
  text: string
}

/** What went wrong, as far as its reader may care: no access, nothing there, too slow, or anything else. */
export type ErrorKind = 'access' | 'missing' | 'slow' | 'broken'

const kinds: Record<number, ErrorKind> = { 401: 'access', 403: 'access', 404: 'missing', 503: 'slow' }

/** The kind of error that an HTTP status tells of. */
export const errorKind = (status: number): ErrorKind => kinds[status] ?? 'broken'

/** Whether the product is down: the first screen fails, or without its frame every screen. */
export const isDown = (at: { status: number; pathname: string; hasFrame: boolean }) =>
  at.status >= 500 && (at.pathname === '/' || !at.hasFrame)

/** The two sentences of the error view for each kind, in English. */
export const englishErrors: Record<ErrorKind, ErrorTexts> = {
  access: {
    title: 'Uh-oh! You don’t have access to this.',
    text: 'Ask your team admin for access, or contact support for help.',
  },
  missing: {
    title: 'Uh-oh! This doesn’t exist.',
    text: 'It may have been deleted, or the URL is invalid.',
  },
  slow: {
    title: 'Something took longer than expected.',
    text: 'Try again in a few, or try adjusting your query.',
  },
  broken: {
    title: 'Uh-oh! Something went wrong.',
    text: 'Our people are looking into it.',
  },
}

/** Gives the two sentences of the error view for an HTTP status; every other status has the same general ones. */
export function errorTexts(status: number): ErrorTexts {
  return englishErrors[errorKind(status)]
}
