import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { needsReason } from '#functions/domain/access/opened.ts'
import { v1 } from '#functions/v1/index.ts'
import { act, load } from '#app/server/load.server.ts'
import { goOnTo, guard } from '#app/server/session.server.ts'

/** The place that support staff or a super admin is asked why they open, and whether they may change it. Whoever needs no reason goes on. */
export async function accessScreen(args: LoaderFunctionArgs): Promise<{ name: string; mayChange: boolean }> {
  const { placeId } = guard(args, 'signedIn')
  if (!placeId || !needsReason(args.context.ctx.actor, placeId)) throw redirect(goOnTo(args))
  const options = { filters: { id: placeId }, limit: 1 }
  const { places } = await load(args, { places: { endpoint: v1.place.find, options } })
  const [place] = places.results
  // The place that a browser remembers may be gone.
  if (!place) throw redirect('/explore')
  return { name: place.displayName, mayChange: args.context.ctx.actor.user?.role === 'super_admin' }
}

/** Opens the place and goes on to what was wanted there, or leaves it: the bar of the workspace sends here as well. */
export async function changeAccess(args: ActionFunctionArgs) {
  const { placeId } = guard(args, 'signedIn')
  if (!placeId) throw redirect('/explore')
  const params = { placeId }
  const data = (form: FormData) => ({ reason: form.get('reason') })
  return act(args, {
    open: { endpoint: v1.place.access.create, params, data, then: () => goOnTo(args) },
    leave: { endpoint: v1.place.access.leave, params, data: () => undefined, then: () => '/explore' },
  })
}
