import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { needsReason } from '#functions/domain/access/opened.ts'
import { v1 } from '#functions/v1/index.ts'
import { handleForm, load } from '#app/server/load.server.ts'
import { redirectTarget, guard } from '#app/server/session.server.ts'

/** The active place, whose opening requires a reason, and whether the person may change it. Redirects people who need no reason. */
export async function accessScreen(args: LoaderFunctionArgs): Promise<{ name: string; mayChange: boolean }> {
  const { placeId } = guard(args, 'signedIn')
  if (!placeId || !needsReason(args.context.ctx.actor, placeId)) throw redirect(redirectTarget(args))
  const options = { filters: { id: placeId }, limit: 1 }
  const { places } = await load(args, { places: { endpoint: v1.place.find, options } })
  const [place] = places.results
  // The place in the cookie may no longer exist.
  if (!place) throw redirect('/explore')
  return { name: place.displayName, mayChange: args.context.ctx.actor.user?.role === 'super_admin' }
}

/** Opens the place and redirects to the requested page, or leaves it; the bar of the workspace submits here as well. */
export async function changeAccess(args: ActionFunctionArgs) {
  const { placeId } = guard(args, 'signedIn')
  if (!placeId) throw redirect('/explore')
  const params = { placeId }
  const data = (form: FormData) => ({ reason: form.get('reason') })
  return handleForm(args, {
    open: { endpoint: v1.place.access.create, params, data, then: () => redirectTarget(args) },
    leave: { endpoint: v1.place.access.leave, params, data: () => undefined, then: () => '/explore' },
  })
}
