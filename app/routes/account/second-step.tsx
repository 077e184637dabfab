import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SecondStepFields, secondStepIn } from '#app/components/form/second-step-fields.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { chooseFirstScreen } from './invite.server.ts'
import { handleForm, load } from '#app/server/load.server.ts'
import { redirectTarget, guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'signedOut')
  const { kinds } = await load(args, { kinds: v1.core.auth.stepKinds })
  return { factors: kinds.waiting ?? { app: true, passkey: false } }
}

/** The second step of signing in. After too many failures the password is requested again. */
export async function action(args: ActionFunctionArgs) {
  const then = (session: Parameters<typeof chooseFirstScreen>[0]) =>
    chooseFirstScreen(session, redirectTarget(args))
  const outcome = await handleForm(args, {
    secondStep: { endpoint: v1.core.auth.secondStep, data: secondStepIn, then },
  })
  if (outcome.ok || outcome.reason !== 'signInAgain') return outcome
  const search = new URLSearchParams(new URL(args.request.url).search)
  search.set('again', '')
  throw redirect(`/login?${search.toString()}`, { headers: args.context.ctx.responseHeaders })
}

export const meta = placeTitle('Second step')

export default function SecondStep() {
  const { factors } = useLoaderData<typeof loader>()
  const errors = readFormErrors(useActionData<typeof action>())
  const { search } = useLocation()
  return (
    <AccountCard
      title="Second step"
      intro={<p>Your password is right. Now show that you have your second factor.</p>}
      foot={<Link to={`/login${search}`}>Back to sign in</Link>}
    >
      <Form method="post" className="form">
        <FormError errors={errors} names={['code', 'recoveryCode', 'passkey']} />
        <SecondStepFields errors={errors} factors={factors} during="signIn" />
        <SubmitButton intent="secondStep" doing="Signing in…">
          Sign in
        </SubmitButton>
        <p className="muted">
          Neither your second factor nor recovery codes at hand? Ask whoever runs this Commonplace: they can
          remove the second factor of your account.
        </p>
      </Form>
    </AccountCard>
  )
}
