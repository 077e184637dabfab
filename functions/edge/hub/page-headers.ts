import { hubPolicy } from '#functions/shapes/page-policy.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import type { ManifestPage } from './manifest.ts'

/** The ETag of a stored page: of its content. */
export const buildEtag = ({ hash }: Pick<ManifestPage, 'hash'>) => `"${hash.slice(0, 32)}"`

/**
 * The headers of a stored page. `framedBy`: the origins that may frame it, as the Content-Security-Policy has them; `dataTime`: the date of its data
 * in milliseconds, undefined where it is current.
 */
export function buildPageHeaders(
  page: Pick<ManifestPage, 'hash' | 'status' | 'type' | 'styles'>,
  framedBy: string,
  dataTime: number | undefined,
): Headers {
  return new Headers({
    'content-type': page.type,
    'cache-control': page.status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store',
    etag: buildEtag(page),
    ...pageSecurity(page.styles, framedBy),
    ...(page.type.startsWith('text/html') ? {} : forPrograms),
    ...(dataTime === undefined ? {} : staleHeaders(dataTime)),
  })
}

/** Headers that let pages of other sites read feeds, catalogues and pictures. */
const forPrograms = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Security headers of a stored page. */
export function pageSecurity(styles: string[], framedBy?: string): Record<string, string> {
  return {
    'content-security-policy': hubPolicy(styles, framedBy),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  }
}

/** The earliest of these dates (milliseconds); undefined: everything is current. */
export function earliest(...moments: (number | undefined)[]): number | undefined {
  const dates = moments.filter((moment) => moment !== undefined)
  return dates.length > 0 ? Math.min(...dates) : undefined
}
