import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { load } from '#app/server/load.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** The most people that are offered at once; the others are found by a search. */
const maxHeirs = 50

/**
 * The people to whom the signed-in administrator can hand the organization over: everyone else of the team by name, whatever the list
 * of the screen shows, or those found by `?heir=`. Null for people who are no administrators there.
 */
export async function findHeirs(args: LoaderFunctionArgs) {
  const { actor, placeId } = args.context.ctx
  const role = actor.memberships.find((membership) => membership.placeId === placeId)?.role
  if (!actor.user || role !== 'organization_admin') return null
  const search = new URL(args.request.url).searchParams.get('heir')?.trim().slice(0, 100) ?? ''
  const { people } = await load(args, {
    people: {
      endpoint: v1.place.user.find,
      options: {
        filters: { id: { $ne: actor.user.id } },
        limit: maxHeirs,
        ...(search !== '' && { search }),
      },
    },
  })
  return {
    people: people.results.map(({ id, name }) => ({ id, name })),
    total: people.meta.total,
    search,
  }
}
