import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OpenedFile } from './open.ts'
import type { FetchServices } from './ports.ts'
import { isSecretName } from '#functions/shapes/secret-name.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A simulated internet: local servers under public names, which the guard sees like real ones. */
export interface Internet {
  ports: FetchServices
  /** Starts a server for an origin such as 'https://data.example.org'; returns its requests, in order. */
  serve(origin: string, handler: Handler): Promise<IncomingMessage[]>
  /** Where the server of an origin really listens, on this machine. */
  findPort(origin: string): number | undefined
  /** The addresses of names; for a list of lists one after the other, the last one remains. */
  names: Map<string, string[] | string[][]>
  /** All names that were resolved. */
  lookedUp: string[]
  /** The delays between attempts in milliseconds; they are not actually waited for. */
  slept: number[]
  close(): Promise<void>
}

/** The public address of names that have no other. */
export const somewhere = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946']

/**
 * The outside world of a Worker: names are resolved like by a DNS over HTTPS resolver (to `findAddress`,
 * otherwise to any address), and addresses lead to the servers of a simulated internet.
 */
export function createOutsideFetch(
  net: () => Internet,
  findAddress: (name: string) => string | undefined = () => undefined,
): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input))
    if (url.hostname !== 'dns.test') return net().ports.fetch(input, init)
    const data = findAddress(url.searchParams.get('name') ?? '') ?? somewhere[0]
    return Response.json({
      Status: 0,
      Answer: url.searchParams.get('type') === '1' ? [{ type: 1, data }] : [],
    })
  }
}

/**
 * Creates one. Origins without a server here are connected to for real, so that a request that passes the
 * guard by mistake would be sent. Bodies, timeouts and errors are those of real connections; only delays
 * between attempts are skipped.
 */
export function internet(): Internet {
  const servers = new Map<string, { port: number; close: () => Promise<void> }>()
  const names: Internet['names'] = new Map()
  const [lookedUp, slept]: [string[], number[]] = [[], []]
  let skippedMs = 0
  const ports: FetchServices = {
    fetch: (input, init) => {
      const url = new URL(String(input))
      const server = servers.get(url.origin)
      return fetch(server ? `http://127.0.0.1:${server.port}${url.pathname}${url.search}` : url, init)
    },
    now: () => new Date(Date.now() + skippedMs),
    sleep: async (ms) => {
      slept.push(ms)
      skippedMs += ms
    },
    resolve: async (host) => {
      lookedUp.push(host)
      const addresses = names.get(host) ?? somewhere
      if (!Array.isArray(addresses[0])) return addresses as string[]
      const turns = addresses as string[][]
      return (turns.length > 1 ? turns.shift() : turns[0]) ?? []
    },
    random: () => 1,
    isSecretName,
  }
  return {
    ports,
    names,
    lookedUp,
    slept,
    async serve(origin, handler) {
      const requests: IncomingMessage[] = []
      const server = createServer((request, response) => {
        requests.push(request)
        response.on('error', () => {})
        handler(request, response)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const close = async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
      await servers.get(origin)?.close()
      servers.set(origin, { port: (server.address() as AddressInfo).port, close })
      return requests
    },
    findPort: (origin) => servers.get(origin)?.port,
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()))
    },
  }
}

/** All bytes of a source, in one. */
export async function readAll({ bytes }: Pick<OpenedFile, 'bytes'>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the error that a promise rejects with; throws if it resolves. */
export async function catchError(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It went well.')
}

/** A file of this length without repetition. */
export function createFile(length: number, seed = 1): Buffer {
  const file = Buffer.alloc(length)
  let state = seed
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    file[i] = state >>> 24
  }
  return file
}

export interface FlakyOptions {
  file: Buffer | (() => Buffer)
  /** Bytes after which each answer is cut in turn; after the last of them none is. */
  cuts: number[]
  etag?: string | (() => string)
  takesRanges?: boolean
  /** Without a length in the header: in chunks. */
  isChunked?: boolean
}

/** A server of one file that breaks off its answers. */
export function flaky({ file, cuts, etag, takesRanges = false, isChunked = false }: FlakyOptions): Handler {
  const remainingCuts = [...cuts]
  return (request, response) => {
    const content = typeof file === 'function' ? file() : file
    const tag = typeof etag === 'function' ? etag() : etag
    const rangeMatch = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
    const isPart = takesRanges && rangeMatch !== null && request.headers['if-range'] === tag
    const begin = isPart ? Number(rangeMatch[1]) : 0
    const body = content.subarray(begin)
    const cutAt = remainingCuts.shift()
    response.writeHead(isPart ? 206 : 200, {
      ...(tag !== undefined && { etag: tag }),
      ...(takesRanges && { 'accept-ranges': 'bytes' }),
      ...(isPart && { 'content-range': `bytes ${begin}-${content.length - 1}/${content.length}` }),
      ...(!isChunked && { 'content-length': body.length }),
    })
    if (cutAt === undefined || cutAt >= body.length) response.end(body)
    else if (cutAt === 0) {
      response.flushHeaders()
      response.socket?.destroySoon()
    } else response.write(body.subarray(0, cutAt), () => response.socket?.destroySoon())
  }
}
