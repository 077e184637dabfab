import { FetchError } from './errors.ts'
import { open } from './open.ts'
import type { Caps, FetchRequest, FetchServices, Token } from './ports.ts'

const ownCaps: Partial<Caps> = { bytes: 64_000, answerMs: 30_000, idleMs: 30_000 }

/**
 * The token of an OAuth grant: requested on first use, by a form with `grant_type` and the parameters of the grant,
 * within the limits `caps` of the source. A FetchError `grant` when the response has none. Errors contain neither
 * request nor response.
 */
export function createToken(
  ports: FetchServices,
  { url, type, ...rest }: { url: string; type: string; [name: string]: string },
  {
    secrets,
    signal,
    caps,
  }: { secrets: readonly string[]; signal: AbortSignal; caps: Pick<Caps, 'totalMs' | 'attempts'> },
): Token {
  const issued: string[] = []
  async function renew(): Promise<string> {
    const form = { grant_type: type, ...rest }
    const request = { url, form, headers: { accept: 'application/json' }, secrets, isPage: true }
    const token = readToken(await answerTo(request))
    if (token === null)
      throw new FetchError('grant', 'The server granted no token.', {
        diagnosis:
          'What the address of the token answers has no `access_token`: look at the members of the grant.',
      })
    issued.push(token)
    return token
  }
  async function answerTo(request: FetchRequest): Promise<string> {
    try {
      const { bytes } = await open(ports, request, { caps: { ...ownCaps, ...caps }, signal })
      return await readText(bytes)
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      const { message, status, isTemporary, retryAfterMs, attempt, url } = error
      const diagnosis = `The token was not granted. ${error.diagnosis ?? ''}`.trim()
      const about = { status, isTemporary, retryAfterMs, diagnosis }
      throw Object.assign(new FetchError('grant', message, about), { attempt, url })
    }
  }
  return { issued, renew, current: async () => issued.at(-1) ?? renew() }
}

/** The token in a response; null: there is none that is valid in a header. */
function readToken(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text)
    const token =
      typeof answer === 'object' && answer && 'access_token' in answer ? answer.access_token : null
    return typeof token === 'string' && /^[\x21-\x7e]{1,8192}$/.test(token) ? token : null
  } catch {
    return null
  }
}

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of bytes) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
