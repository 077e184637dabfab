import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import type { Random } from '#functions/engine/query/differential/random.testing.ts'

/** The fault of one connection. */
type ConnectionFault =
  | { kind: 'none' }
  /** Cut after a number of bytes in one direction, anywhere within a message. */
  | { kind: 'sent' | 'received'; bytes: number }
  /** Cut at a COMMIT: before the server has it, or when it has committed and its answer is on its way. */
  | { kind: 'before' | 'after'; nth: number }
  | { kind: 'slow'; ms: number }

/** A wire between the product and its database that breaks. */
export interface Cutter {
  /** host:port, to be used in place of the database's. */
  address: string
  /** The number of connections cut so far, and of those cut before a COMMIT and between it and its response. */
  cuts: { all: number; before: number; after: number }
  /** From now on nothing is cut. */
  mend(): void
  close(): Promise<void>
}

/** The response to a successful COMMIT (Postgres protocol, CommandComplete), after its length. */
const committed = Buffer.from('\0\0\0\x0bCOMMIT\0', 'latin1')

/** Whether a client sends a COMMIT: one small masked frame of a WebSocket (RFC 6455, 5.3) with only that statement. */
function isCommit(bytes: Buffer): boolean {
  const length = (bytes[1] ?? 0) & 0x7f
  if (bytes[0] !== 0x82 || length > 40) return false
  const mask = bytes.subarray(2, 6)
  const text = bytes.subarray(6, 6 + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0))
  return /^Q...\x0bcommit\0$/is.test(Buffer.from(text).toString('latin1'))
}

/**
 * Forwards bytes to `target` and cuts connections, each by its own random fault: half of them by a reset, half by an
 * end. `most`: how many are cut before everything passes.
 */
export async function openCutter(target: string, random: Random, most: number): Promise<Cutter> {
  const [host = '', port = ''] = target.split(':')
  const cuts = { all: 0, before: 0, after: 0 }
  const open = new Set<Socket>()
  let isMended = false
  const draw = (): ConnectionFault => {
    if (isMended || cuts.all >= most) return { kind: 'none' }
    const bytes = Math.floor(10 ** (2 + random.unit() * 3.3))
    const kind = random.pick(['none', 'sent', 'received', 'before', 'after', 'after', 'slow'] as const)
    if (kind === 'slow') return { kind, ms: 1 + random.below(8) }
    if (kind === 'before' || kind === 'after') return { kind, nth: 1 + random.below(3) }
    return kind === 'none' ? { kind } : { kind, bytes }
  }
  const server = createServer((client) => {
    const fate = draw()
    const isHard = random.chance(0.5)
    const upstream = connect({ host, port: Number(port), noDelay: true })
    client.setNoDelay(true)
    const end = () => {
      for (const socket of [client, upstream]) socket.destroy()
    }
    const cut = () => {
      if (isMended && fate.kind !== 'sent') return false
      cuts.all += 1
      if (isHard) client.resetAndDestroy()
      end()
      return true
    }
    let [sentBytes, received, commits] = [0, 0, 0]
    const pass = (bytes: Buffer, to: Socket) => {
      if (fate.kind === 'slow' && !isMended) setTimeout(() => to.writable && to.write(bytes), fate.ms)
      else if (to.writable) to.write(bytes)
    }
    client.on('data', (bytes: Buffer) => {
      sentBytes += bytes.length
      if (fate.kind === 'before' && isCommit(bytes) && (commits += 1) >= fate.nth && cut()) {
        cuts.before += 1
        return
      }
      if (fate.kind === 'sent' && sentBytes >= fate.bytes && !isMended) {
        // Bytes before the cut are delivered: a statement may be cut in the middle.
        upstream.write(bytes.subarray(0, Math.max(0, bytes.length - (sentBytes - fate.bytes))), () => cut())
        return
      }
      pass(bytes, upstream)
    })
    upstream.on('data', (bytes: Buffer) => {
      received += bytes.length
      if (fate.kind === 'received' && received >= fate.bytes && cut()) return
      if (fate.kind === 'after' && bytes.includes(committed) && (commits += 1) >= fate.nth && cut()) {
        cuts.after += 1
        return
      }
      pass(bytes, client)
    })
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        open.delete(socket)
        // A slow connection must still deliver what is in flight.
        setTimeout(end, fate.kind === 'slow' ? fate.ms + 1 : 0)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts,
    mend() {
      isMended = true
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
