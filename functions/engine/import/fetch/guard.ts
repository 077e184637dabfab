import { FetchError, networkError, unresolvedError } from './errors.ts'
import type { FetchServices } from './ports.ts'
import { checkImportUrl, isPublicAddress } from '../url.ts'

/**
 * Lets pass only what may be fetched: an address that `checkImportUrl` takes, whose name leads to public addresses only.
 * Names are asked for each time, never remembered: what a name leads to changes. Throws a FetchError: `refused`, or
 * `dns` when the name leads nowhere or cannot be asked for.
 */
export async function requirePublic(
  ports: Pick<FetchServices, 'resolve'>,
  address: string,
  { isRedirect, signal }: { isRedirect: boolean; signal: AbortSignal },
): Promise<URL> {
  const { url, refusal } = checkImportUrl(address)
  if (refusal !== undefined) throw refuse(refusal, isRedirect)
  const host = url.hostname.replace(/\.$/, '')
  // An address in place of a name has been looked at already.
  if (host.startsWith('[') || isPublicAddress(host)) return url
  let addresses: string[]
  try {
    addresses = await ports.resolve(host, signal)
  } catch (error) {
    const fetchError = networkError(error, false)
    throw fetchError.code === 'timeout' ? fetchError : unresolvedError(true)
  }
  if (!addresses.length) throw unresolvedError(false)
  // One that is not is enough: which of them is used is not for us to say.
  if (!addresses.every(isPublicAddress)) throw refuse('Must not lead into a private network.', isRedirect)
  return url
}

function refuse(refusal: string, isRedirect: boolean): FetchError {
  const message = refusal === 'Invalid source url' ? refusal : 'Failed to connect to server'
  const rule = refusal.replace(/^Must/, 'The address must')
  return new FetchError('refused', message, {
    diagnosis: isRedirect ? `The server redirects to an address that is not read. ${rule}` : rule,
  })
}
