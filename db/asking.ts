import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Db } from './schema.ts'

/** So many sources may be said to be asked; of more a record is judged by itself. */
const mostAsked = 100

/** Of statements that are being made: the sources whose records they ask. */
const asked = new WeakMap<RootOperationNode, string>()

/**
 * The same database, told with each statement which sources' records it asks: their visibility is then looked up once and
 * not by the record, which takes half the time of a question to many. Shows no one more: of a source that the asker may
 * not see, saying that it is asked changes nothing. Within a transaction it has no effect.
 */
export function asking(db: Db, sources: readonly string[]): Db {
  const all = sources.length > mostAsked ? '' : sources.join(',')
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      asked.set(node, all)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return db.withPlugin(plugin)
}

/** The sources that a statement is said to ask, comma separated; '' where no one said so. For the driver. */
export function askedBy(statement: RootOperationNode): string {
  return asked.get(statement) ?? ''
}
