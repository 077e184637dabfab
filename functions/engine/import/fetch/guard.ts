import { FetchError, networkError, unresolvedError } from './errors.ts'
import type { FetchServices } from './ports.ts'
import { checkImportUrl, isPublicAddress } from '../url.ts'

/**
 * The SSRF guard: accepts only URLs that pass `checkImportUrl`, and whose host resolves to public addresses only.
 * Resolved each time and never cached, since DNS may change. Throws a FetchError: `refused`, or `dns` when the host does
 * not exist or cannot be resolved.
 */
export async function requirePublic(
  ports: Pick<FetchServices, 'resolve'>,
  address: string,
  { isRedirect, signal }: { isRedirect: boolean; signal: AbortSignal },
): Promise<URL> {
  const { url, refusal } = checkImportUrl(address)
  if (refusal !== undefined) throw refuse(refusal, isRedirect)
  const host = url.hostname.replace(/\.$/, '')
  // An IP address has been checked already.
  if (host.startsWith('[') || isPublicAddress(host)) return url
  let addresses: string[]
  try {
    addresses = await ports.resolve(host, signal)
  } catch (error) {
    const fetchError = networkError(error, false)
    throw fetchError.code === 'timeout' ? fetchError : unresolvedError(true)
  }
  if (!addresses.length) throw unresolvedError(false)
  // A single private address is enough to reject: we do not control which one is used.
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
