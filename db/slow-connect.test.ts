import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type DbEnv } from './connect.ts'
import { startProxy, type Proxy } from './embedded/proxy.ts'
import { asStranger } from './testing.ts'
import { isUnreachable } from './unavailable.ts'

/** A server that accepts connections and never answers, like a firewall that drops packets. */
let hole: Server
let proxy: Proxy
let env: DbEnv
const sockets = new Set<Socket>()
beforeAll(async () => {
  hole = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => hole.listen(0, '127.0.0.1', resolve))
  proxy = await startProxy({ host: '127.0.0.1', port: (hole.address() as AddressInfo).port })
  env = { DATABASE_URL: 'postgres://app:app@hole.local/commonplace', DB_PROXY: proxy.address }
})
afterAll(async () => {
  await proxy.close()
  for (const socket of sockets) socket.destroy()
  hole.close()
})

test('a database that never answers is given up after ten seconds, in a statement and in a transaction', async () => {
  const { db, transaction, end } = connect(env, asStranger)
  const startMs = Date.now()
  const ways = {
    statement: () => db.selectFrom('place').select('id').execute(),
    transaction: () => transaction((tx) => tx.selectFrom('place').select('id').execute()),
  }
  const ended = await Promise.all(
    Object.entries(ways).map(async ([way, ask]) => {
      const error: unknown = await ask().then(
        () => null,
        (reason: unknown) => reason,
      )
      return { way, isUnreachable: isUnreachable(error), after: Date.now() - startMs }
    }),
  )
  void end().catch(() => {})
  for (const { way, isUnreachable, after } of ended) {
    expect([way, isUnreachable]).toEqual([way, true])
    expect([way, after > 9_000 && after < 12_000]).toEqual([way, true])
  }
}, 40_000)
