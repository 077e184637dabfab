import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Backends, freeMs } from './backends.ts'
import { nearLine, type Line } from './near.ts'
import { message, startupAnswer } from './wire.ts'

/** A server that admits everyone, and answers everything with "done". */
let server: Server
/** Whether it asks for a password first: such a connection is not given to another client. */
let asksPassword: boolean
const sockets = new Set<Socket>()
beforeEach(async () => {
  asksPassword = false
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.once('data', () => {
      if (asksPassword) socket.write(message('R', Buffer.from([0, 0, 0, 3])))
      socket.write(startupAnswer())
      socket.on('data', () => socket.write(message('Z', Buffer.from('I'))))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  vi.useRealTimers()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

function openPool(limits: ConstructorParameters<typeof Backends>[1]) {
  return new Backends({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }, limits)
}

/** A client that asks for a connection. `text()`: all that it has received. */
function arrive(pool: Backends) {
  const { driver, proxy } = nearLine()
  const line = driver as Line
  let text = ''
  let isClosed = false
  line.on('message', (bytes) => (text += bytes.toString('latin1')))
  line.on('close', () => (isClosed = true))
  pool.serve(proxy)
  const settings = Buffer.from('user\0app\0database\0oak\0\0')
  const startup = Buffer.alloc(8)
  startup.writeInt32BE(8 + settings.length, 0)
  startup.writeInt32BE(3 << 16, 4)
  line.send(Buffer.concat([startup, settings]))
  return {
    isGreeted: () => text.includes('server_version'),
    isClosed: () => isClosed,
    text: () => text,
    disconnect: () => line.send(message('X', Buffer.alloc(0))),
  }
}

const countGreeted = (clients: { isGreeted(): boolean }[]) =>
  clients.filter((client) => client.isGreeted()).length

test.each([
  ['the one that was released', false],
  ['a new one where each client needs its password', true],
])(
  'a client beyond the most connections waits until another leaves, and gets %s',
  async (_what, password) => {
    asksPassword = password
    const pool = openPool({ maxIdle: 2, maxOpen: 2 })
    const clients = [arrive(pool), arrive(pool), arrive(pool), arrive(pool)]
    await expect.poll(() => countGreeted(clients)).toBe(2)
    // What had been opened beyond the limit would be there by now.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([countGreeted(clients), sockets.size]).toEqual([2, 2])
    for (const [n, client] of clients.slice(0, 2).entries()) {
      client.disconnect()
      await expect.poll(() => countGreeted(clients)).toBe(3 + n)
    }
    expect(clients.map((client) => client.isClosed())).toEqual([true, true, false, false])
    pool.close()
  },
)

test('a client that leaves while it waits takes no connection', async () => {
  const pool = openPool({ maxOpen: 1 })
  const holder = arrive(pool)
  await expect.poll(() => holder.isGreeted()).toBe(true)
  const leaver = arrive(pool)
  leaver.disconnect()
  await expect.poll(() => leaver.isClosed()).toBe(true)
  const next = arrive(pool)
  holder.disconnect()
  await expect.poll(() => next.isGreeted()).toBe(true)
  expect(leaver.text()).toBe('')
  pool.close()
})

test('a client that waits too long is refused as by a server without free connections', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pool = openPool({ maxOpen: 1 })
  const holder = arrive(pool)
  await vi.waitFor(() => expect(holder.isGreeted()).toBe(true))
  const late = arrive(pool)
  // Its request arrives in the next turn.
  await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(freeMs + 1)
  await vi.waitFor(() => expect(late.isClosed()).toBe(true))
  expect(late.text()).toContain('C53300\0MEvery connection to the database is in use.\0')
  pool.close()
})
