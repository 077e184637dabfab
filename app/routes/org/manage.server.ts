import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { toBoundaryValue, buildMissingBoundary } from './boundary-value.ts'
import { computeOutline } from './outline.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { locales } from '#functions/shapes/locale.ts'
import { v1 } from '#functions/v1/index.ts'
import type { ReadOrganization } from './org-reading.tsx'
import { load } from '#app/server/load.server.ts'
import { publicPlaceUrl } from '#app/server/public-urls.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'

/** Redirects people without permission to the read-only view. */
export function requireManager(args: LoaderFunctionArgs, operation: OperationName) {
  return requirePermission(args, operation, '/org/manage')
}

/** The organization's settings: editable with permission, else read-only for members. */
export async function orgScreen(args: LoaderFunctionArgs) {
  const isRefused = new URL(args.request.url).searchParams.has('refused')
  if (isRefused) guard(args, 'withPlace')
  else await requireManager(args, 'place.update')
  return hasPermission(args.context.ctx, 'place.update')
    ? { editor: await orgEditor(args), reading: null }
    : { editor: null, reading: await orgReading(args) }
}

/** The settings in words. */
async function orgReading(args: LoaderFunctionArgs): Promise<ReadOrganization> {
  const { place, boundary } = await placeWithBoundary(args)
  const { name, displayName, description, publisher, contact, timeZone, theme } = place
  return {
    ...{ name, displayName, description, publisher, contact, timeZone },
    languages: place.languages.map((code) => locales.find((each) => each.code === code)?.name ?? code),
    colour: theme.primaryColor ?? null,
    hubUrl: place.isHub ? publicPlaceUrl(args.context.ctx, place) : null,
    region: boundary?.name ?? null,
  }
}

/** The settings for editing, with a small map of the boundary. */
async function orgEditor(args: LoaderFunctionArgs) {
  const { place, boundary } = await placeWithBoundary(args)
  const { id, name, displayName, description, about, timeZone, theme, mapConfiguration, version } = place
  const { publisher, contact, privacy } = place
  return {
    place: {
      ...{ id, name, displayName, description, about, timeZone, theme, version },
      ...{ publisher, contact, privacy },
      map: {
        showStateLabel: mapConfiguration.showStateLabel === true,
        allStatesBoundaryId: place.allStatesBoundaryId ?? '',
        layerColor: typeof mapConfiguration.layerColor === 'string' ? mapConfiguration.layerColor : '',
      },
    },
    boundary,
    timeZones: Intl.supportedValuesOf('timeZone'),
  }
}

/** The place, and its boundary as form value and outline: the area itself can be megabytes and is not sent. Null without one. */
async function placeWithBoundary(args: LoaderFunctionArgs) {
  const { place } = await load(args, {
    place: { endpoint: v1.place.findById, options: { includes: [{ resource: 'boundary' }] } },
  })
  const boundaryValue = toBoundaryValue(place)
  if (boundaryValue === null) return { place, boundary: null }
  if (!place.boundary) return { place, boundary: buildMissingBoundary(boundaryValue, place) }
  const { area, name = '', code = '', type = 'area' } = place.boundary
  return { place, boundary: { id: boundaryValue, name, code, type, outline: computeOutline(area) } }
}
