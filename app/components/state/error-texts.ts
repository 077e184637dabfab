import { errors } from '#functions/shapes/language/en/errors.ts'
import type { ErrorKind, ErrorTexts } from '#functions/shapes/language/errors.ts'

const kinds: Record<number, ErrorKind> = { 401: 'access', 403: 'access', 404: 'missing', 503: 'slow' }

/** The kind of error of an HTTP status. */
export const errorKind = (status: number): ErrorKind => kinds[status] ?? 'broken'

/** Whether the product is down: the first screen fails, or any screen without a frame. */
export const isDown = (at: { status: number; pathname: string; hasFrame: boolean }) =>
  at.status >= 500 && (at.pathname === '/' || !at.hasFrame)

/** The two sentences of the error view for an HTTP status; unknown ones have a general text. */
export function errorTexts(status: number): ErrorTexts {
  return errors[errorKind(status)]
}
