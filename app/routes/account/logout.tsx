import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import {
  Form,
  Link,
  redirect as redirectHere,
  useNavigate,
  type ClientActionFunctionArgs,
} from '@remix-run/react'
import { useEffect, useState } from 'react'
import { drafts } from '#app/client/drafts/drafts.ts'
import { toFailedSave } from '#app/client/drafts/client-handlers.ts'
import { flushDrafts, writerHere } from '#app/client/drafts/use-draft.ts'
import { ActionError } from '#app/components/form/form-error.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { useRoot } from '#app/root.tsx'
import { AccountCard } from './account-card.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm } from '#app/server/load.server.ts'
import { redirectTarget } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** Signed-out people are redirected. */
export function loader({ context }: LoaderFunctionArgs) {
  if (context.ctx.site.mode === 'main' && !context.ctx.actor.user) throw redirect('/login')
  return null
}

/**
 * Ends the session of this browser. Only by POST, as an image on another site could follow a link. `redirectTo` is kept for signing in
 * as someone else.
 */
export function action(args: ActionFunctionArgs) {
  const to = redirectTarget(args)
  const then = () => (to === '/' ? '/login' : `/login?redirectTo=${encodeURIComponent(to)}`)
  return handleForm(args, { logout: { endpoint: v1.core.auth.logout, then } })
}

/** Signing out removes drafts from this device. If there are any, this screen asks first. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData()
  flushDrafts()
  const userId = writerHere()
  if (userId !== null && form.get('delete') !== 'on' && drafts().listByUser(userId).length > 0)
    throw redirectHere('/logout')
  try {
    const outcome: unknown = await serverAction()
    // The session had ended already: drafts stay for the same person.
    if ((outcome as { status?: number }).status === 401) throw redirectHere('/login')
    return outcome
  } catch (thrown) {
    const isOut = thrown instanceof Response && thrown.headers.has('location')
    if (isOut && userId !== null) drafts().end(userId)
    if (isOut) throw thrown
    return toFailedSave(thrown) ?? Promise.reject(thrown as Error)
  }
}

export const meta = placeTitle('Sign out')

export default function Logout() {
  const storedDrafts = useKeptHere()
  const navigate = useNavigate()
  return (
    <AccountCard title="Sign out" intro={<p>You will be signed out on this device.</p>}>
      <ActionError />
      {storedDrafts.length ? (
        <div className="notice is-warning stack" role="status">
          <p>
            <b>
              {storedDrafts.length === 1
                ? '1 unsaved text is kept only on this device.'
                : `${storedDrafts.length} unsaved texts are kept only on this device.`}
            </b>{' '}
            {storedDrafts.length === 1
              ? 'It is deleted when you sign out.'
              : 'They are deleted when you sign out.'}
          </p>
          <ul className="kept-list">
            {storedDrafts.map(({ key, draft }) => (
              <li key={`${key.thing} ${key.field}`}>
                <Link to={draft.path}>{draft.title || 'Untitled'}</Link>{' '}
                <span className="muted">
                  <Moment date={new Date(draft.at)} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <Form method="post" className="form">
        {storedDrafts.length ? <input type="hidden" name="delete" value="on" /> : null}
        <div className="form-actions">
          <SubmitButton
            intent="logout"
            doing="Signing out…"
            {...(storedDrafts.length ? { className: 'button is-danger' } : {})}
          >
            {storedDrafts.length
              ? `Sign out and delete ${storedDrafts.length === 1 ? 'it' : 'them'}`
              : 'Sign out'}
          </SubmitButton>
          {storedDrafts.length ? (
            <button type="button" className="button" onClick={() => navigate('/')}>
              Stay
            </button>
          ) : null}
        </div>
      </Form>
    </AccountCard>
  )
}

/** The person's drafts on this device; empty before hydration. */
function useKeptHere() {
  const userId = useRoot()?.main?.user?.id
  const [storedDrafts, setStoredDrafts] = useState<ReturnType<ReturnType<typeof drafts>['listByUser']>>([])
  useEffect(() => setStoredDrafts(userId === undefined ? [] : drafts().listByUser(userId)), [userId])
  return storedDrafts
}
