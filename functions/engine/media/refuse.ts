import { Failure } from '#functions/errors.ts'

/** The failure of a file whose bytes are not taken, with the reason for its sender. */
export function refuse(message: string): Failure {
  return new Failure('invalid', { issues: [{ path: ['file'], message }] })
}
