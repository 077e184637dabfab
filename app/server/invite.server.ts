import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { call } from '#functions/api/call.ts'
import type { ResultOf } from '#functions/api/endpoint.ts'
import { asFailure } from '#functions/errors.ts'
import { readState } from '#functions/identity/state.ts'
import { v1 } from '#functions/v1/index.ts'
import { responseOf } from './load.server.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>

/** What an invitation is to; or why it cannot be accepted, in a sentence. */
export type Invitation =
  { invite: ResultOf<typeof v1.invite.confirm>; why: null } | { invite: null; why: string }

/** The token of the letter's link as the endpoints take it; none for who is signed in with the invited address. */
export const tokenOf = (token: unknown) => (typeof token === 'string' && token ? { token } : {})

/** The invitation of the address, for who holds its link or is signed in with the address it was sent to. */
export async function invitation(args: LoaderFunctionArgs): Promise<Invitation> {
  const { inviteId = '' } = args.params
  const data = tokenOf(new URL(args.request.url).searchParams.get('token'))
  try {
    const invite = await call(v1.invite.confirm, args.context.ctx, { params: { inviteId }, data })
    return { invite, why: null }
  } catch (error) {
    const { kind, message } = asFailure(error)
    if (kind === 'conflict') return { invite: null, why: message }
    if (kind !== 'notFound' && kind !== 'invalid') throw responseOf(error, args as LoaderFunctionArgs)
    return { invite: null, why: 'This link is not that of an invitation, or a newer letter has replaced it.' }
  }
}

/** "Signed-in user on login, signup, forgot or reset pages goes to / (or to the invite)": the latter, where one waits. */
export async function sendToInvite({ context: { ctx } }: Args): Promise<void> {
  if (!ctx.actor.session) return
  const { session } = await readState(ctx, { data: undefined })
  const to = inviteOf(session)
  if (to) throw redirect(to)
}

/** Where a session goes first: the invitation that waits for its person; null for none. */
export function inviteOf(session: { user: { inviteId: string | null } } | null): string | null {
  return session?.user.inviteId ? `/invite/${session.user.inviteId}` : null
}
