import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordTypes } from '#functions/platform/dns.ts'

/** The names of records that prove a domain; about all others it does not answer, as without a network. */
const proofPrefix = '_commonplace.'

/**
 * Starts a resolver (DNS over HTTPS that answers in JSON, without the S) that knows the TXT records sent to it, as
 * `?name=…&text=…`: walks prove domains with it that nobody has.
 */
export async function openNameServer(): Promise<{ address: string; close(): void }> {
  const texts = new Map<string, string>()
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const name = searchParams.get('name') ?? ''
    const text = searchParams.get('text')
    if (!name.startsWith(proofPrefix)) response.statusCode = 503
    if (text !== null) texts.set(name, text)
    const storedText = texts.get(name)
    const { TXT } = recordTypes
    const isChallenge = storedText !== undefined && searchParams.get('type') === String(TXT)
    const records = isChallenge ? [{ name, type: TXT, TTL: 60, data: `"${storedText}"` }] : []
    response.setHeader('content-type', 'application/dns-json')
    response.end(JSON.stringify({ Status: storedText === undefined ? 3 : 0, Answer: records }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/dns-query`, close: () => server.close() }
}
