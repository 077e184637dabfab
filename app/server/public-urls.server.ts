import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Context } from '#functions/context.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'
import { placeUrl } from '#functions/engine/address/urls.ts'

/** The hub URLs of sources by source id, on the place's own domain if it has one. The caller must know that the places have hubs. */
export async function publicSourceUrls(
  args: LoaderFunctionArgs,
  sources: readonly { placeId: string; dataTypeId: string; id: string }[],
): Promise<Map<string, string>> {
  if (sources.length === 0) return new Map()
  const { ctx } = args.context
  const ids = [...new Set(sources.map(({ placeId }) => placeId))]
  const { places } = await load(args, {
    places: { endpoint: v1.place.find, options: { filters: { id: { $in: ids } }, limit: ids.length } },
  })
  const domains = new Map(places.results.map(({ id, domain }) => [id, domain]))
  return new Map(
    sources.map(({ placeId, dataTypeId, id }) => {
      const hub = publicPlaceUrl(ctx, { id: placeId, domain: domains.get(placeId) ?? null })
      return [id, `${hub}/domains/${dataTypeId}/source/${id}`]
    }),
  )
}

/** The origin of a place's hub: its own `domain`, else a subdomain of the product's; no trailing slash. */
export function publicPlaceUrl(
  { settings }: Pick<Context, 'settings'>,
  { id, domain }: { id: string; domain: string | null },
): string {
  return placeUrl({ id, domains: domain ? [domain] : [] }, settings)
}

/** The URL of a `/v1` path for programs. */
export function apiUrl({ settings }: Pick<Context, 'settings'>, path: string): string {
  return `${settings.scheme}://${settings.appHost}/v1${path}`
}
