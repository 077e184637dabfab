import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { EmailField, PasswordField } from './credential-fields.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { chooseFirstScreen, sendToInvite } from './invite.server.ts'
import { handleForm } from '#app/server/load.server.ts'
import { rememberRedirect } from './remembered.server.ts'
import { redirectTarget, guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  await sendToInvite(args)
  guard(args, 'signedOut')
  const { searchParams } = new URL(args.request.url)
  return {
    isConfirmed: searchParams.has('confirmed'),
    isReset: searchParams.has('reset'),
    isAgain: searchParams.has('again'),
    isLetIn: searchParams.has('device'),
  }
}

/**
 * "Login route /login keeps a redirectTo query parameter across the login." A pending invitation comes first. Only an unconfirmed
 * address is rejected with 403, and is confirmed first.
 */
export async function action(args: ActionFunctionArgs) {
  const then = (session: Parameters<typeof chooseFirstScreen>[0]) =>
    chooseFirstScreen(session, redirectTarget(args))
  const outcome = await handleForm(args, { login: { endpoint: v1.core.auth.login, then } })
  const { search } = new URL(args.request.url)
  if (!outcome.ok && outcome.reason === 'secondFactor')
    throw redirect(`/login/second-step${search}`, { headers: args.context.ctx.responseHeaders })
  if (outcome.ok || outcome.status !== 403) return outcome
  rememberRedirect(args)
  throw redirect(`/confirmation${search}`, { headers: args.context.ctx.responseHeaders })
}

export const meta = placeTitle('Sign in')

export default function Login() {
  const { isConfirmed, isReset, isAgain, isLetIn } = useLoaderData<typeof loader>()
  const errors = readFormErrors(useActionData<typeof action>())
  const { search } = useLocation()
  return (
    <AccountCard
      title="Sign in"
      foot={
        <>
          No account yet? <Link to={`/signup${search}`}>Sign up</Link>
          <br />
          <Link to={`/login/sso${search}`}>Sign in with your organization</Link>
        </>
      }
    >
      {isConfirmed ? <p className="notice is-success">Your address is confirmed. Sign in to go on.</p> : null}
      {isReset ? (
        <p className="notice is-success">Your password is changed. Sign in with the new one.</p>
      ) : null}
      {isLetIn ? <p className="notice is-success">This browser is let in. Now sign in.</p> : null}
      {isAgain ? (
        <p className="notice is-warning">
          The second step took too long, or was tried too often. Please sign in again.
        </p>
      ) : null}
      <Form method="post" className="form">
        <FormError errors={errors} names={['email', 'password']} />
        <EmailField autoFocus errors={errors} />
        <PasswordField errors={errors} />
        <SubmitButton intent="login" doing="Signing in…">
          Sign in
        </SubmitButton>
        <p>
          <Link to={`/forgot_password${search}`}>Forgot your password?</Link>
        </p>
      </Form>
    </AccountCard>
  )
}
