import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { ActionError, FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Day } from '#app/components/list/time.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { invitation } from './invite.server.ts'
import { handleForm } from '#app/server/load.server.ts'
import { redirectTarget } from '#app/server/session.server.ts'
import { buildPlaceCookie } from '#functions/shapes/place-cookie.ts'
import { v1 } from '#functions/v1/index.ts'

/** The target of the email's link. A visit accepts nothing, as mail programs visit links too. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = args.context.ctx.actor
  const url = new URL(args.request.url)
  const token = url.searchParams.get('token') ?? ''
  const me = user && { email: user.email, verified: user.verified }
  const here = encodeURIComponent(url.pathname + (token ? `?token=${encodeURIComponent(token)}` : ''))
  const { settings } = args.context.ctx
  const hasOutbox = settings.environment !== 'production'
  return { invitation: await invitation(args), me, token, here, notNow: redirectTarget(args), hasOutbox }
}

export function action(args: ActionFunctionArgs) {
  const data = (form: FormData) => ({ token: form.get('token') })
  return handleForm(args, {
    accept: {
      endpoint: v1.invite.accept,
      data,
      // A member of several places continues in the new one.
      then: ({ placeId }: { placeId: string }) => {
        args.context.ctx.responseHeaders.append('set-cookie', buildPlaceCookie(placeId))
        return '/'
      },
    },
    resendToMe: { endpoint: v1.invite.resendToMe },
  })
}

export const meta = placeTitle('Invitation')

export default function Invite() {
  const { invitation, me, here, notNow } = useLoaderData<typeof loader>()
  if (invitation.kind === 'shut') {
    return (
      <AccountCard
        title={
          invitation.isSettled ? 'This invitation cannot be accepted' : 'An invitation opens by its email'
        }
        intro={
          <>
            <p>{invitation.why}</p>
            {me ? <p className="muted">You are signed in as {me.email}.</p> : null}
          </>
        }
        foot={<Link to="/">Go on to Commonplace</Link>}
      >
        {me ? null : invitation.isSettled ? (
          <p>
            <Link to="/login">Sign in</Link> with your own address.
          </p>
        ) : (
          <p>
            <Link to={`/login?redirectTo=${here}`}>Sign in with the invited address</Link>, or{' '}
            <Link to={`/signup?redirectTo=${here}`}>sign up</Link> with it, to have the email sent again.
          </p>
        )}
      </AccountCard>
    )
  }
  if (invitation.kind === 'waiting') return <Waiting {...invitation} />
  const { invite } = invitation
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
      foot={me ? <Link to={notNow}>Not now</Link> : null}
    >
      {me ? <Answer invited={invite.email} /> : <WayIn email={invite.email} here={here} />}
    </AccountCard>
  )
}

type LoadedInvitation = ReturnType<typeof useLoaderData<typeof loader>>['invitation']

/** The address matches, but without the email's link the invitation cannot be accepted. */
function Waiting({ invite, isReplaced }: Extract<LoadedInvitation, { kind: 'waiting' }>) {
  const { notNow, hasOutbox } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  return (
    <AccountCard
      title="An invitation waits for you"
      intro={
        <>
          {isReplaced ? <p>This link is not the newest one: a later email has replaced it.</p> : null}
          <p>
            The team of <b>{invite.place.displayName}</b> has invited {invite.email}. To see it and to accept,
            follow the link in the email we sent to this address.
          </p>
          <p className="muted">
            It can be accepted until <Day date={invite.expiresAt} />.
          </p>
        </>
      }
      foot={<Link to={notNow}>Not now</Link>}
    >
      {outcome?.ok ? (
        <p className="notice is-success" role="status">
          The email is on its way, with a new link. Links of earlier emails no longer work.
          {hasOutbox ? (
            <>
              {' '}
              <a href="/outbox">Read the emails of this demo here.</a>
            </>
          ) : null}
        </p>
      ) : null}
      <Form method="post" className="form">
        <ActionError />
        <SubmitButton intent="resendToMe" doing="Sending…" className="button">
          Send me the email again
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

/** The link with its token is kept through sign-in and confirmation. */
function WayIn({ email, here }: { email: string; here: string }) {
  return (
    <>
      <p>Sign in as {email}, or sign up with this address; you come back here.</p>
      <div className="button-group">
        <Link className="button is-primary" to={`/login?redirectTo=${here}`}>
          Sign in
        </Link>
        <Link className="button" to={`/signup?redirectTo=${here}`}>
          Sign up
        </Link>
      </div>
    </>
  )
}

function Answer({ invited }: { invited: string }) {
  const { me, token, here } = useLoaderData<typeof loader>()
  const errors = readFormErrors(useActionData<typeof action>())
  if (me?.email !== invited) {
    return (
      <>
        <p className="notice is-warning">
          You are signed in as {me?.email}. Sign out, and sign in with the address that was invited.
        </p>
        <Form method="post" action={`/logout?redirectTo=${here}`}>
          <button className="button" name="intent" value="logout">
            Sign out
          </button>
        </Form>
      </>
    )
  }
  if (!me.verified) {
    return (
      <p className="notice is-warning">
        <Link to={`/confirmation?redirectTo=${here}`}>Confirm your e-mail address</Link> first.
      </p>
    )
  }
  return (
    <Form method="post" className="form">
      <FormError errors={errors} names={[]} />
      <input type="hidden" name="token" value={token} />
      <SubmitButton intent="accept" doing="Joining…">
        Accept
      </SubmitButton>
    </Form>
  )
}
