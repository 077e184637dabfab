import { Failure } from '#functions/errors.ts'

/** The Failure of a rejected file, with the reason. */
export function refuse(message: string): Failure {
  return new Failure('invalid', { issues: [{ path: ['file'], message }] })
}
