import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Db } from './schema.ts'

/** So many sources may be said to be asked; of more a record is judged by itself. */
const mostAsked = 100

/** What the driver is told of a statement. */
export interface AboutStatement {
  /** The sources whose records it asks, comma separated; '' where no one said so. */
  asked: string
  /** The longest that it may take; undefined: as long as any. */
  statementMs?: number
}

/** Of statements that are being made. */
const about = new WeakMap<RootOperationNode, AboutStatement>()

/**
 * The same database, told with each statement which sources' records it asks: their visibility is then looked up once and
 * not by the record, which takes half the time of a question to many. Shows no one more: of a source that the asker may
 * not see, saying that it is asked changes nothing. `statementMs`: the longest that a statement may take, where that is less than
 * any may. Within a transaction neither has an effect.
 */
export function asking(db: Db, sources: readonly string[], statementMs?: number): Db {
  const all = sources.length > mostAsked ? '' : sources.join(',')
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      about.set(node, { asked: all, ...(statementMs !== undefined && { statementMs }) })
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return db.withPlugin(plugin)
}

/** What is said of a statement. For the driver. */
export function aboutStatement(statement: RootOperationNode): AboutStatement {
  return about.get(statement) ?? { asked: '' }
}
