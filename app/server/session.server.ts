import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { isAllowed, defaultGrants, knows, noSubject } from '#functions/domain/access/allowed.ts'
import { needsReason } from '#functions/domain/access/opened.ts'
import { grantsAtHand } from '#functions/domain/access/grants.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { Actor, Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { safeRedirect } from '#functions/domain/identity/redirect.ts'
import { buildPlaceCookie } from '#functions/shapes/place-cookie.ts'
import { enrolment, reasonFor, toErrorResponse } from './load.server.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>
type User = NonNullable<Actor['user']>

/** Who may open a screen. */
interface GuardResults {
  /** Everyone, signed in or not. */
  anyone: User | null
  /** Login, sign-up and passwords. */
  signedOut: null
  /** The page that asks people to confirm their address. */
  unverified: User | null
  signedIn: { user: User; placeId: string | null }
  /** Lists of the active place, or of what is open to a personal account. */
  working: { user: User; placeId: string | null }
  withPlace: { user: User; placeId: string }
  superadmin: { user: User; placeId: string | null }
}
export type Guard = keyof GuardResults

/** Where a person is redirected instead; `forbidden` is the error view; null: they may stay. */
type Redirection = { to: string } | 'forbidden' | null

/**
 * Where a person is redirected by the screen's guard. It enforces nothing (`call` does): it only spares people a screen that is not
 * for them. The requested page is remembered in `redirectTo`.
 */
export function redirectFor(guard: Guard, actor: Actor, placeId: string | null, url: URL): Redirection {
  const { user } = actor
  const target = safeRedirect(url.searchParams.get('redirectTo'))
  const here = encodeURIComponent(url.pathname + url.search)
  if (guard === 'anyone') return null
  if (guard === 'signedOut') return user ? { to: '/' } : null
  if (guard === 'unverified') return user?.verified ? { to: target } : null
  if (!user) return { to: `/login?redirectTo=${here}` }
  if (!user.verified) return { to: `/confirmation?redirectTo=${here}` }
  if (actor.mustEnrol && url.pathname !== enrolment) return { to: enrolment }
  if (placeId && !user.welcomed && url.pathname !== '/hello')
    return { to: isStart(url.pathname) ? '/hello' : `/hello?redirectTo=${here}` }
  if (guard === 'superadmin') return user.role === 'super_admin' ? null : 'forbidden'
  if (guard !== 'signedIn' && guard !== 'working' && !placeId) return { to: toPlace(actor, here) }
  if (guard !== 'signedIn' && placeId && needsReason(actor, placeId)) return { to: reasonFor(url) }
  return null
}

/** The pages on which work begins: the welcome leads there anyway. */
const isStart = (path: string) => path === '/' || path === '/home'

/** Where people without an active place are redirected: to making or joining an organization, or to what is public. */
export function withoutPlace({ user, memberships }: Actor): string {
  return user?.role === null && memberships.length === 0 ? '/organization/new' : '/explore'
}

/**
 * Where people without an active place are redirected from a screen that needs one: to their organizations, from where it opens in the
 * chosen one, and to making or joining one; staff, who may work in all of them, to what is public.
 */
function toPlace(actor: Actor, here: string): string {
  const isOwner = actor.user?.role === null && actor.memberships.length > 0
  return isOwner ? `/organization/new?redirectTo=${here}` : withoutPlace(actor)
}

/** Whether the person may manage the place: its organization admins, and super admins everywhere. */
export function isOrgAdmin(actor: Actor, placeId: string | null): boolean {
  const role = actor.memberships.find((membership) => membership.placeId === placeId)?.role
  return role === 'organization_admin' || actor.user?.role === 'super_admin'
}

/**
 * Returns the person and the active place. Throws a redirect if the screen is not for them, or if the URL names another place than the
 * active one, as links in emails and frames do.
 */
export function guard<Kind extends Guard>(args: Args, kind: Kind): GuardResults[Kind] {
  const { actor, placeId, site } = args.context.ctx
  if (site.mode !== 'main') throw toErrorResponse(new Failure('notFound'), args)
  if (actor.user && (kind === 'withPlace' || kind === 'working')) workInNamed(args)
  const redirectTo = redirectFor(kind, actor, placeId, new URL(args.request.url))
  if (redirectTo === 'forbidden')
    throw toErrorResponse(new Failure('forbidden'), args, {
      who: 'This is for super admins, who run the product.',
    })
  if (redirectTo) throw redirect(redirectTo.to)
  const person =
    kind === 'signedOut'
      ? null
      : kind === 'unverified' || kind === 'anyone'
        ? actor.user
        : { user: actor.user, placeId }
  return person as GuardResults[Kind]
}

/**
 * Whether to offer an operation in a place, for buttons of a screen: by the current grants, as enforced by the server, which are
 * loaded before a screen renders. Permissions on one's own things do not count in a place: a viewer has a library of their own, and
 * adds no file to that of the organization. Without a place it is about one's own things.
 */
export function hasPermission(ctx: Context, operation: OperationName, inPlace = ctx.placeId) {
  const subject = {
    ...noSubject,
    ...{ placeId: inPlace, userId: inPlace === null ? (ctx.actor.user?.id ?? null) : null },
  }
  return isAllowed(ctx.actor, operation, subject, grantsAtHand(ctx) ?? defaultGrants)
}

/**
 * Switches to the place in the URL (`?placeId=`) if another one is active, and redirects to the same screen. Throws the Response for
 * the error boundary for a place that is not theirs.
 */
function workInNamed(args: Args): void {
  const { actor, placeId } = args.context.ctx
  const url = new URL(args.request.url)
  const fromAddress = url.searchParams.get('placeId')
  if (fromAddress === null || fromAddress === placeId) return
  if (!knows(actor, fromAddress)) throw toErrorResponse(new Failure('forbidden'), args)
  url.searchParams.delete('placeId')
  throw redirect(url.pathname + url.search, { headers: { 'set-cookie': buildPlaceCookie(fromAddress) } })
}

/** Where a form redirects to: the page in `redirectTo`, else /. */
export function redirectTarget({ request }: Pick<Args, 'request'>): string {
  return safeRedirect(new URL(request.url).searchParams.get('redirectTo'))
}
