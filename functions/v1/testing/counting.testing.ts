import type { KyselyPlugin } from 'kysely'
import type { Context } from '#functions/context.ts'

/** Counts the statements of a request: those of `db`, of its transactions and of what a library does by itself. */
export interface Counter {
  statements: number
}

/** A context's ways to the database, each statement counted. Begin, commit and who asks are no statements of the product. */
export function counted(
  { db, transaction, pooled }: Pick<Context, 'db' | 'transaction' | 'pooled'>,
  counter: Counter,
): Pick<Context, 'db' | 'transaction' | 'pooled'> {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      counter.statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    db: db.withPlugin(plugin),
    transaction: (run) => transaction((tx) => run(tx.withPlugin(plugin))),
    pooled: () => pooled().withPlugin(plugin),
  }
}
