import { readFileSync } from 'node:fs'
import { connect, createServer, isIP, type AddressInfo, type Socket } from 'node:net'
import { connect as secure, type ConnectionOptions } from 'node:tls'

/** TLS options for `node:tls`. */
type Tls = Pick<ConnectionOptions, 'rejectUnauthorized' | 'ca' | 'servername' | 'checkServerIdentity'>

/** The SSLRequest message; Postgres answers S or N. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f])

/** Host and port of an address, as `node:net` wants them: an IPv6 host has no brackets. */
export function toServerAddress(url: URL): { host: string; port: number } {
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 5432) }
}

/**
 * The TLS options of a connection string's `sslmode`, with the semantics of psql: `require` encrypts without
 * verification, `verify-full` also verifies the certificate and its host (against the file `sslrootcert`, if given),
 * `verify-ca` only its authority. Null: no TLS (absent, `disable`, `allow`, `prefer`). Throws for other values.
 */
export function parseTlsOptions(url: URL): Tls | null {
  const mode = url.searchParams.get('sslmode') ?? 'disable'
  if (['disable', 'allow', 'prefer'].includes(mode)) return null
  if (!['require', 'no-verify', 'verify-ca', 'verify-full'].includes(mode))
    throw new Error(`sslmode can be disable, require, verify-ca or verify-full, not "${mode}"`)
  const { host } = toServerAddress(url)
  const root = url.searchParams.get('sslrootcert')
  return {
    rejectUnauthorized: mode.startsWith('verify'),
    ...(isIP(host) ? {} : { servername: host }),
    ...(root && root !== 'system' ? { ca: readFileSync(root) } : {}),
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  }
}

/**
 * Opens a loopback port that forwards to a Postgres over TLS, for clients without TLS. Returns its port and `close`;
 * clients are disconnected while the server refuses TLS.
 */
export async function openTlsTunnel(
  to: { host: string; port: number },
  tls: Tls,
): Promise<{ host: string; port: number; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((local) => {
    const remote = connect({ ...to, noDelay: true })
    local.setNoDelay(true)
    for (const socket of [local, remote]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        local.destroy()
        remote.destroy()
      })
    }
    remote.write(sslRequest)
    remote.once('data', (value) => {
      if (value.toString() !== 'S') return void remote.destroy()
      const secured = secure({ ...tls, socket: remote })
      secured.on('error', () => remote.destroy())
      secured.on('close', () => remote.destroy())
      local.pipe(secured).pipe(local)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
