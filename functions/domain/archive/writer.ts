import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { Tx } from '#db/schema.ts'
import { sql } from 'kysely'

/** What an import does by the endpoints of `/v1`, by their names there. */
export const importCalls = [
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

/** What switches on again what arrived switched off. */
type SwitchCall =
  | 'place.boundarySet.updateById'
  | 'place.source.updateById'
  | 'insight.updateById'
  | 'place.collection.updateById'
  | 'place.page.updateById'
  | 'source.importer.updateById'
  | 'place.observer.updateById'
export type ImportCall = (typeof importCalls)[number] | SwitchCall

/** Calls an endpoint of `/v1` as the actor of the context, with the permission and the shapes that it has for everyone, and gives its answer: the id of what was made, mostly. */
export type CallEndpoint<Name extends string = ImportCall> = <Result = { id: string }>(
  ctx: Context,
  name: Name,
  params: Record<string, string>,
  data: object,
) => Promise<Result>

/** So much that is wrong is told; then the reading ends. */
const mostRefused = 100

/** Too much is wrong with an archive to go on. */
export class TooMuchRefused extends Error {}

/**
 * A context inside of a transaction: all that is done with it is committed with that or not at all, also what runs transactions of
 * its own, which are savepoints here. Nobody is woken before the end.
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

/** What of an archive is not taken, in the order in which it was found. */
export class Refusals {
  readonly list: { path: Issue['path']; message: string }[] = []

  add(path: Issue['path'], message: string): void {
    this.list.push({ path, message })
    if (this.list.length >= mostRefused) throw new TooMuchRefused()
  }

  /**
   * Runs something in a savepoint. What it refuses is noted under the name of the file it was about, and undefined is given; any other
   * error passes through.
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
