import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Context } from '#functions/context.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'
import { placeUrl } from '#functions/engine/address/urls.ts'

/**
 * The pages of sources on the hubs of their places, by the id of the source, each at its place's own host if it has one; whether a place
 * has a hub is the caller's to know.
 */
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

/** Where a place's hub answers: at its own host (`domain`), else below the product's; no slash at its end. */
export function publicPlaceUrl(
  { settings }: Pick<Context, 'settings'>,
  { id, domain }: { id: string; domain: string | null },
): string {
  return placeUrl({ id, domains: domain ? [domain] : [] }, settings)
}

/** The address of `/v1` as a program calls it. */
export function apiUrl({ settings }: Pick<Context, 'settings'>, path: string): string {
  return `${settings.scheme}://${settings.appHost}/v1${path}`
}
