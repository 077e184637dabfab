import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from '#app/components/form/account-card.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Day } from '#app/components/list/time.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { invitation, tokenOf } from '#app/server/invite.server.ts'
import { act } from '#app/server/load.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** Where the letter's link leads. Looking accepts nothing: mail programs visit links too. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = args.context.ctx.actor
  const token = new URL(args.request.url).searchParams.get('token') ?? ''
  const me = user && { email: user.email, verified: user.verified }
  return { ...(await invitation(args)), me, token }
}

export function action(args: ActionFunctionArgs) {
  const data = (form: FormData) => tokenOf(form.get('token'))
  return act(args, { accept: { endpoint: v1.invite.accept, data, then: () => '/' } })
}

export const meta = placeTitle('Invitation')

export default function Invite() {
  const { invite, why, me } = useLoaderData<typeof loader>()
  if (!invite) {
    return (
      <AccountCard
        title="This invitation cannot be accepted"
        intro={<p>{why}</p>}
        foot={<Link to="/">Go on to Commonplace</Link>}
      />
    )
  }
  return (
    <AccountCard
      title={`Join ${invite.place.displayName}`}
      intro={
        <>
          <p>
            {invite.inviter ? `${invite.inviter.name} invites` : 'You are invited'}
            {invite.inviter ? ' you' : null} to work with the team of {invite.place.displayName}. You will be:{' '}
            <b>{invite.roleName}</b>.
          </p>
          <p className="muted">
            For {invite.email}, until <Day date={invite.expiresAt} />.
          </p>
        </>
      }
      foot={me ? <Link to="/">Not now</Link> : null}
    >
      {me ? <Answer /> : <WayIn email={invite.email} />}
    </AccountCard>
  )
}

/** The way back needs no parameter: the invitation waits for the address, and signing in with it leads here. */
function WayIn({ email }: { email: string }) {
  return (
    <>
      <p>Sign in as {email}, or sign up with this address; you come back here.</p>
      <div className="button-group">
        <Link className="button is-primary" to="/login">
          Sign in
        </Link>
        <Link className="button" to="/signup">
          Sign up
        </Link>
      </div>
    </>
  )
}

function Answer() {
  const { invite, me, token } = useLoaderData<typeof loader>()
  const refused = refusalIn(useActionData<typeof action>())
  if (me?.email !== invite?.email) {
    return (
      <>
        <p className="notice is-warning">
          You are signed in as {me?.email}. Sign out, and sign in with the address that was invited.
        </p>
        <Form method="post" action="/logout">
          <button className="button" name="intent" value="logout">
            Sign out
          </button>
        </Form>
      </>
    )
  }
  if (!me?.verified) {
    return (
      <p className="notice is-warning">
        <Link to="/confirmation">Confirm your e-mail address</Link> first.
      </p>
    )
  }
  return (
    <Form method="post" className="form">
      <FormError refused={refused} names={[]} />
      <input type="hidden" name="token" value={token} />
      <SubmitButton intent="accept" doing="Joining…">
        Accept
      </SubmitButton>
    </Form>
  )
}
