import type { Context } from '#functions/context.ts'
import { placeUrl } from '#functions/engine/address/urls.ts'

/** The page of a source on its place's hub; whether there is a hub is the caller's to know. */
export function publicSourceUrl(
  { settings }: Pick<Context, 'settings'>,
  { placeId, dataTypeId, id }: { placeId: string; dataTypeId: string; id: string },
): string {
  return `${placeUrl({ id: placeId, domains: [] }, settings)}/domains/${dataTypeId}/source/${id}`
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
