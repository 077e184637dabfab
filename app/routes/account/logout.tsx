import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form } from '@remix-run/react'
import { AccountCard } from '#app/components/form/account-card.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { act } from '#app/server/load.server.ts'
import { goOnTo } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** Who is signed out already has nothing to do here. */
export function loader({ context }: LoaderFunctionArgs) {
  if (context.ctx.site.mode === 'main' && !context.ctx.actor.user) throw redirect('/login')
  return null
}

/**
 * Ends the session of this browser. Only a form does it: a link could be followed by a picture on another site. Who signs
 * out to be someone else is led back by `redirectTo`.
 */
export function action(args: ActionFunctionArgs) {
  const to = goOnTo(args)
  const then = () => (to === '/' ? '/login' : `/login?redirectTo=${encodeURIComponent(to)}`)
  return act(args, { logout: { endpoint: v1.core.auth.logout, then } })
}

export const meta = placeTitle('Sign out')

export default function Logout() {
  return (
    <AccountCard title="Sign out" intro={<p>You will be signed out on this device.</p>}>
      <Form method="post" className="form">
        <SubmitButton intent="logout" doing="Signing out…">
          Sign out
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}
