import { connect, type DbEnv } from './connect.ts'
import { asStranger, asSystem } from './testing.ts'

/** Every way in which statements reach the database, each on a new connection. */
export const waysToDatabase: [string, (env: DbEnv) => Promise<unknown>][] = [
  ['a statement', (env) => connect(env, asStranger).db.selectFrom('place').select('id').execute()],
  [
    'a transaction',
    async (env) => {
      const { transaction, end } = connect(env, asSystem)
      try {
        return await transaction((tx) => tx.selectFrom('place').select('id').execute())
      } finally {
        await end()
      }
    },
  ],
  [
    'accounts',
    async (env) => {
      const { accounts, end } = connect(env, asStranger)
      try {
        return await accounts.transaction((tx) => tx.selectFrom('place').select('id').execute())
      } finally {
        await end()
      }
    },
  ],
]
