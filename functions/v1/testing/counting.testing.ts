import type { KyselyPlugin } from 'kysely'
import type { Context } from '#functions/context.ts'

type Access = Context['accounts']

/** Counts the statements of a request: those of `db`, of its transactions and of what a library does by itself. */
export interface Counter {
  statements: number
}

/** A context's ways to the database, each statement counted. Begin, commit and who asks are no statements of the product. */
export function counted(
  { db, transaction, accounts }: Pick<Context, 'db' | 'transaction' | 'accounts'>,
  counter: Counter,
): Pick<Context, 'db' | 'transaction' | 'accounts'> {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      counter.statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const counting = (access: Access): Access => ({
    db: access.db.withPlugin(plugin),
    transaction: (run) => access.transaction((tx) => run(tx.withPlugin(plugin))),
  })
  return { ...counting({ db, transaction }), accounts: counting(accounts) }
}
