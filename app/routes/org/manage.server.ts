import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { outlineOf } from './outline.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '#app/server/load.server.ts'
import { requireMay } from '#app/server/require-may.server.ts'

/** What an organization says of itself, with its boundary drawn small. For its admins. */
export async function orgScreen(args: LoaderFunctionArgs) {
  await requireMay(args, 'place.update')
  const { place } = await load(args, { place: v1.place.findById })
  const boundary = await boundaryOf(args, place.boundaryId)
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

/** A boundary with its outline; its area can be megabytes and stays here. Null: none is chosen. */
async function boundaryOf(args: LoaderFunctionArgs, boundaryId: string | null) {
  if (boundaryId === null) return null
  const { boundary } = await load(args, {
    boundary: { endpoint: v1.boundary.findById, options: { includes: 'area' }, params: { boundaryId } },
  })
  const { area, id, name, code, type } = boundary as typeof boundary & { area?: object | null }
  return { id, name, code, type, outline: outlineOf(area) }
}
