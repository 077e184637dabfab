import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'

/**
 * Optimistic locking. Throws `conflict` (a version conflict) where the version that the client sent, in the body or in
 * `If-Match`, is not the row's; the Failure names both. Does nothing where the client sent none: the last write wins.
 * Returns whether it sent one.
 */
export function expectVersion(
  ctx: Context,
  knownVersion: number | undefined,
  row: { version: number },
): boolean {
  const expectedVersion = knownVersion ?? versionIn(ctx.request.headers.get('if-match'))
  if (expectedVersion !== undefined && expectedVersion !== row.version)
    throw conflict(expectedVersion, row.version)
  return expectedVersion !== undefined
}

/** Derives a context whose request names a version in `If-Match`. */
export function withVersion(ctx: Context, version: number): Context {
  const headers = new Headers(ctx.request.headers)
  headers.set('if-match', `"${version}"`)
  return { ...ctx, request: { ...ctx.request, headers } }
}

/** The version conflict of an update: someone changed the row in between. `current` is the row's version now; null: not known. */
export function conflict(expectedVersion: number, current: number | null): Failure {
  return new Failure('conflict', {
    message: 'This was changed by someone else in the meantime.',
    issues: [
      {
        path: ['version'],
        value: expectedVersion,
        message: current === null ? 'No longer the current version.' : `The current version is ${current}.`,
      },
    ],
  })
}

/** Reads `"3"`, `W/"3"` and `3`; undefined for anything else. */
function versionIn(header: string | null): number | undefined {
  const digits = header?.match(/^(?:W\/)?"?(\d{1,9})"?$/)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The columns that every update sets beside its changes. */
export function bumpVersion(ctx: Context, row: { version: number }) {
  return { version: row.version + 1, updatedAt: ctx.now() }
}

/** The changes without undefined values. */
export function withoutUndefined<Changes extends object>(changes: Changes): Partial<Changes> {
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<Changes>
}

/** The author and the times of a new row. */
export function newRowColumns(ctx: Context) {
  return { createdBy: ctx.actor.user?.id ?? null, createdAt: ctx.now(), updatedAt: ctx.now() }
}
