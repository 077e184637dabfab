import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm, load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

const here = encodeURIComponent('/account/connect')

/** Links a single sign-on identity to an existing account with the same address, once, after signing in to it. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'anyone')
  const { asked: request } = await load(args, { asked: v1.core.sso.waiting })
  return { ...request, email: args.context.ctx.actor.user?.email ?? null }
}

export const action = (args: ActionFunctionArgs) =>
  handleForm(args, {
    connect: { endpoint: v1.core.sso.link, data: () => undefined, then: () => '/account#connected' },
  })

export const meta = placeTitle('Connect your account')

export default function SsoConnect() {
  const { waiting, email } = useLoaderData<typeof loader>()
  const errors = readFormErrors(useActionData<typeof action>())
  if (!waiting)
    return (
      <AccountCard
        title="Nothing waits to be connected"
        intro={<p>This is open for ten minutes after your organization has signed you in. Begin again.</p>}
        foot={<Link to="/">Back to Commonplace</Link>}
      >
        <Link className="button is-primary" to="/login/sso">
          Sign in with your organization
        </Link>
      </AccountCard>
    )
  const { placeName, issuer } = waiting
  const isSame = email === waiting.email
  return (
    <AccountCard
      title="You have an account already"
      intro={
        <>
          <p>
            {placeName} has signed you in as <b>{waiting.email}</b>, and there is an account with this
            address.
          </p>
          <p>
            {isSame
              ? `Connect the two, and from now on ${new URL(issuer).host} opens ${placeName} for you. It opens nothing else: not your other organizations, and not the settings of your account.`
              : 'Sign in to it once with its own password to show that it is yours. Then you connect the two.'}
          </p>
        </>
      }
      foot={isSame ? <Link to="/">Not now</Link> : null}
    >
      {isSame ? (
        <Form method="post" className="form">
          <FormError errors={errors} names={[]} />
          <SubmitButton intent="connect" doing="Connecting…">
            Connect
          </SubmitButton>
        </Form>
      ) : email === null ? (
        <Link className="button is-primary" to={`/login?redirectTo=${here}`}>
          Sign in with the password
        </Link>
      ) : (
        <Form method="post" action="/logout" className="form">
          <p className="notice is-warning">You are signed in as {email}, which is another account.</p>
          <button className="button is-primary" name="intent" value="logout">
            Sign out
          </button>
        </Form>
      )}
    </AccountCard>
  )
}
