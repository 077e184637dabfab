import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'

/**
 * Refuses a change that was made from an old copy: the version the sender knew, in the body or in `If-Match`, is
 * not the row's. Without either the change is made to whatever there is. The Failure names both versions.
 */
export function expectVersion(ctx: Context, known: number | undefined, row: { version: number }): void {
  const expected = known ?? versionIn(ctx.request.headers.get('if-match'))
  if (expected !== undefined && expected !== row.version) throw conflict(expected, row.version)
}

/** For an update that found no row of the version it had just read: someone was faster. */
export function conflict(expected: number, current: number | null): Failure {
  return new Failure('conflict', {
    say: 'This was changed by someone else in the meantime.',
    issues: [
      {
        path: ['version'],
        value: expected,
        message: current === null ? 'No longer the current version.' : `The current version is ${current}.`,
      },
    ],
  })
}

/** `"3"`, `W/"3"` and `3`; anything else is not a version of ours. */
function versionIn(header: string | null): number | undefined {
  const digits = header?.match(/^(?:W\/)?"?(\d{1,9})"?$/)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** What every update writes beside its changes. */
export function bumpVersion(ctx: Context, row: { version: number }) {
  return { version: row.version + 1, updatedAt: ctx.now() }
}

/** The changes without what says nothing: keys that are undefined. */
export function withoutUndefined<Changes extends object>(changes: Changes): Partial<Changes> {
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<Changes>
}

/** What a new row carries. */
export function fresh(ctx: Context) {
  return { createdBy: ctx.actor.user?.id ?? null, createdAt: ctx.now(), updatedAt: ctx.now() }
}
