import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { Tx } from '#db/schema.ts'
import { sql } from 'kysely'

/** The endpoints of `/v1` that an import calls, by name. */
const importCalls = [
  'place.updateById',
  'place.file.create',
  'assets.folder.create',
  'assets.file.create',
  'dataType.create',
  'place.source.create',
  'place.source.saveCustomFields',
  'insight.create',
  'place.collection.create',
  'place.collection.insight.updateById',
  'place.collection.text.create',
  'place.page.create',
  'place.page.content.create',
  'source.importer.create',
  'place.observer.create',
  'place.boundarySet.create',
  'place.translation.import',
] as const

/** The endpoints that switch on what arrived switched off. */
type SwitchCall =
  | 'place.boundarySet.updateById'
  | 'dataType.schema'
  | 'place.source.updateById'
  | 'insight.updateById'
  | 'place.collection.updateById'
  | 'place.page.updateById'
  | 'source.importer.updateById'
  | 'place.observer.updateById'
export type ImportCall = (typeof importCalls)[number] | SwitchCall

/**
 * Calls an endpoint of `/v1` as the actor of the context, with the usual permission checks and validation, and returns
 * its result: mostly the id of a new row.
 */
export type CallEndpoint<Name extends string = ImportCall> = <Result = { id: string }>(
  ctx: Context,
  name: Name,
  params: Record<string, string>,
  data: object,
) => Promise<Result>

/** The maximal number of reported issues; then reading stops. */
const maxRefused = 100

/** The archive has too many issues to continue. */
export class TooMuchRefusedError extends Error {}

/**
 * A context in a transaction: everything done with it commits or rolls back with that, including nested transactions,
 * which become savepoints. No queue is notified before the end.
 */
export function contextWithin(ctx: Context, tx: Tx, placeId: string): Context {
  let count = 0
  const { memo: _memo, ...rest } = ctx
  return {
    ...rest,
    db: tx,
    async transaction(run) {
      const name = sql.id(`import_${(count += 1)}`)
      await sql`savepoint ${name}`.execute(tx)
      try {
        const result = await run(tx)
        await sql`release savepoint ${name}`.execute(tx)
        return result
      } catch (error) {
        await sql`rollback to savepoint ${name}`.execute(tx)
        throw error
      }
    },
    actor: {
      ...ctx.actor,
      memberships: [...ctx.actor.memberships, { placeId, role: 'organization_admin' }],
    },
    placeId,
    wake: () => {},
    depends: new Set(),
    responded: { status: null },
    about: { ...ctx.about },
  }
}

/** The rejected parts of an archive, in the order in which they were found. */
export class Refusals {
  readonly list: { path: Issue['path']; message: string }[] = []

  add(path: Issue['path'], message: string): void {
    this.list.push({ path, message })
    if (this.list.length >= maxRefused) throw new TooMuchRefusedError()
  }

  /**
   * Runs a function in a savepoint. A Failure is recorded under the name of the file, and the result is undefined; any
   * other error is rethrown.
   */
  async attempt<Result>(ctx: Context, file: string, run: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ctx.transaction(run)
    } catch (error) {
      if (!(error instanceof Failure) || !refusalKinds.has(error.kind)) throw error
      const issues = error.issues.length > 0 ? error.issues : [{ path: [], message: error.message }]
      for (const { path, message } of issues) this.add(path[0] === file ? path : [file, ...path], message)
      return undefined
    }
  }
}

const refusalKinds: ReadonlySet<Failure['kind']> = new Set([
  'invalid',
  'conflict',
  'tooLarge',
  'notFound',
  'forbidden',
] as const)
