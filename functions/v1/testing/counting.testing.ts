import type { KyselyPlugin } from 'kysely'
import type { Context } from '#functions/context.ts'

type Access = Context['accounts']

/** The number of statements of a request: those of `db`, of its transactions and of libraries. */
export interface Counter {
  statements: number
}

/** Wraps a context's database access so that each statement is counted. Begin, commit and setting the identity do not count. */
export function countStatements(
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
