import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'

/** The most sets that a form lists. */
const maxSets = 200

/** The boundary sets of an organization that the person may see, of whatever visibility, by name. */
export async function listOwnSets(
  args: LoaderFunctionArgs,
  placeId: string,
): Promise<{ id: string; name: string; placeId: string }[]> {
  const { sets } = await load(args, {
    sets: { endpoint: v1.place.boundarySet.find, params: { placeId }, options: { limit: maxSets } },
  })
  return sets.results.map(({ id, name }) => ({ id, name, placeId }))
}
