import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Db } from './schema.ts'

/** The most sources a statement may declare; beyond that visibility is checked for each record. */
const maxAsked = 100

/** What the driver needs to know about a statement. */
export interface AboutStatement {
  /** The ids of the sources whose records it reads, separated by commas; '' where none were declared. */
  sourceIds: string
  /** Its timeout in milliseconds; undefined: the timeout of all statements. */
  statementMs?: number
}

/** The declarations of statements that are being compiled. */
const about = new WeakMap<RootOperationNode, AboutStatement>()

/**
 * The same database, which declares with each statement the sources whose records it reads: row-level security then
 * checks their visibility once instead of for each record, which halves the time of a query over many. It never shows
 * more: declaring a source that the identity may not see has no effect. `statementMs`: a shorter timeout for these
 * statements. In a transaction neither has an effect.
 */
export function withDeclaredSources(db: Db, sources: readonly string[], statementMs?: number): Db {
  const all = sources.length > maxAsked ? '' : sources.join(',')
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      about.set(node, { sourceIds: all, ...(statementMs !== undefined && { statementMs }) })
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return db.withPlugin(plugin)
}

/** The declaration of a statement; for the driver. */
export function aboutStatement(statement: RootOperationNode): AboutStatement {
  return about.get(statement) ?? { sourceIds: '' }
}
