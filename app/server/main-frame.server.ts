import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { ActivePlace, MainFrame, PlaceChoice } from '#app/components/shell/frame.ts'
import { navigation } from '#app/components/shell/navigation.ts'
import { themeCss } from '#app/theme/colour.ts'
import type { Context } from '#functions/context.ts'
import { openUntil } from '#functions/domain/access/opened.ts'
import { placeUrl } from '#functions/engine/address/urls.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'
import { getDateLocale, findReaderTimeZone } from './reader.server.ts'
import { isOrgAdmin } from './session.server.ts'
import { compareNames } from '#functions/shapes/compare-names.ts'

/** The frame of every workspace screen. A place that no longer exists counts as none: the frame must never fail for it. */
export async function mainFrame(args: LoaderFunctionArgs): Promise<MainFrame> {
  const { ctx } = args.context
  const { settings } = ctx
  const { user, memberships } = ctx.actor
  const [place, places] = user ? await Promise.all([activePlace(args), choices(args)]) : [null, []]
  const role = memberships.find((membership) => membership.placeId === place?.id)?.role ?? null
  const isSuperAdmin = user?.role === 'super_admin'
  const isAdmin = role === 'content_admin' || role === 'organization_admin'
  const mayManage = place !== null && isOrgAdmin(ctx.actor, place.id)
  const links = navigation({
    isSignedIn: user !== null,
    hasPlace: place !== null,
    hasMap: place?.shown.hasMap ?? false,
    isOrgAdmin: mayManage,
    isSuperAdmin,
  })
  return {
    reader: { locale: getDateLocale(args.request), timeZone: findReaderTimeZone(args.request) },
    themeCss: themeCss(place?.primaryColor, place?.layerColor),
    user: user && { id: user.id, name: user.name, email: user.email, image: user.image },
    place: place?.shown ?? null,
    places,
    role,
    isSuperAdmin,
    openUntil: openUntil(ctx.actor, place?.id)?.toISOString() ?? null,
    isPrivileged: isSuperAdmin || user?.role === 'support' || isAdmin,
    isAdmin,
    isOrgAdmin: mayManage,
    top: links.top,
    bottom: links.bottom,
    help: [
      { label: 'API', href: '/api' },
      { label: 'Documentation', href: `${settings.supportUrl}/docs` },
      { label: 'New request', href: `${settings.supportUrl}/requests/new` },
    ],
  }
}

async function activePlace(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  if (!ctx.placeId) return null
  const { places } = await load(args, {
    places: { endpoint: v1.place.find, options: { filters: { id: ctx.placeId }, limit: 1 } },
  })
  const [place] = places.results
  if (!place) return null
  const placeShown: ActivePlace = {
    id: place.id,
    displayName: place.displayName,
    isHub: place.isHub,
    hasMap: place.hasMap,
    timeZone: place.timeZone,
    publicUrl: placeUrl({ id: place.id, domains: place.domain ? [place.domain] : [] }, ctx.settings),
    image: place.theme.squareImage ?? null,
  }
  const { primaryColor } = place.theme
  return { id: place.id, primaryColor, layerColor: place.mapConfiguration.layerColor, shown: placeShown }
}

/** "The workspace switcher search is a case-insensitive filter on place name, sorted by name." */
async function choices(args: LoaderFunctionArgs): Promise<PlaceChoice[]> {
  const options = placesOptions(args.context.ctx)
  if (!options) return []
  const { places } = await load(args, { places: { endpoint: v1.place.find, options } })
  return places.results
    .map(({ id, displayName }) => ({ id, name: displayName }))
    .sort((a, b) => compareNames(a.name, b.name))
}

/** Super admins and support staff can work in every place, others in their own; null if there is none. */
function placesOptions({ actor }: Context) {
  if (actor.user?.role === 'super_admin' || actor.user?.role === 'support') return { limit: 1000 }
  const ownPlaceIds = actor.memberships.map(({ placeId }) => placeId)
  return ownPlaceIds.length ? { filters: { id: { $in: ownPlaceIds } }, limit: 1000 } : null
}
