import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useToast } from '#app/client/use-toast.ts'
import { AccountCard } from '#app/components/form/account-card.tsx'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { act, load } from '#app/server/load.server.ts'
import { goOnTo, guard } from '#app/server/session.server.ts'
import type { BegunFactor } from '#functions/shapes/factor.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'signedIn')
  const { factor } = await load(args, { factor: v1.core.factor.state })
  return { factor, email: user.email, goOn: goOnTo(args) }
}

export async function action(args: ActionFunctionArgs) {
  guard(args, 'signedIn')
  const { core } = v1
  const nothing = () => undefined
  const outcome = await act(args, {
    enrol: { endpoint: core.factor.enrol, data: (form) => ({ password: form.get('password') }) },
    confirm: { endpoint: core.factor.confirm, data: (form) => ({ code: form.get('code') }) },
    renewCodes: { endpoint: core.factor.renewCodes, data: nothing },
    remove: { endpoint: core.factor.remove, data: nothing },
  })
  const shown = outcome.ok && outcome.intent !== 'confirm' ? outcome.result : null
  const begun = outcome.ok && outcome.intent === 'enrol' ? (shown as BegunFactor) : null
  const codes = outcome.ok && outcome.intent === 'renewCodes' ? (shown as BegunFactor).recoveryCodes : null
  return { ...outcome, begun, codes }
}

export const meta = placeTitle('Second factor')

export default function SecondFactor() {
  const { factor, email, goOn } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome?.ok ? outcome : undefined, {
    confirm: 'Your second factor is set up.',
    remove: 'Your second factor is removed.',
  })
  return (
    <AccountCard
      title="Second factor"
      intro={
        <p>
          {factor.isRequired && !factor.isOn
            ? 'Super admins sign in with a second factor. Set one up to go on: an app on your phone that shows a code.'
            : 'With a second factor, nobody signs in as you with your password alone: it takes the code of an app as well.'}
        </p>
      }
      foot={
        factor.isOn || !factor.isRequired ? (
          <Link to={goOn === '/' ? '/account' : goOn}>{goOn === '/' ? 'Back to your account' : 'Go on'}</Link>
        ) : (
          <Link to="/logout">Sign out</Link>
        )
      }
    >
      {factor.isOn ? <Present codesLeft={factor.codesLeft} email={email} /> : <SetUp email={email} />}
    </AccountCard>
  )
}

/** What the app needs stays on the screen while its first code is typed, also when that is not right. */
function SetUp({ email }: { email: string }) {
  const outcome = useActionData<typeof action>()
  const refused = refusalIn(outcome)
  const [begun, setBegun] = useState(outcome?.begun ?? null)
  const given = outcome?.begun
  useEffect(() => {
    if (given) setBegun(given)
  }, [given])
  if (!begun)
    return (
      <Form method="post" className="form">
        <FormError refused={refused} names={['password']} />
        <TextField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          hint="Asked once more before an app is set up."
          required
          refused={refused}
        />
        <SubmitButton intent="enrol" doing="Beginning…">
          Set up an app
        </SubmitButton>
      </Form>
    )
  return (
    <Form method="post" className="form">
      <h2>1. Add this account to the app</h2>
      <p>Any authenticator app will do. Scan the picture with it, or type the key.</p>
      <img
        className="factor-picture"
        src={`data:image/svg+xml,${encodeURIComponent(begun.picture)}`}
        alt="The key below, as a QR code"
        width={200}
        height={200}
      />
      <TextField
        label="Key"
        name="shownKey"
        value={begun.key}
        readOnly
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p>
        <a href={begun.uri}>Open in an app on this device</a>
      </p>
      <h2>2. Keep the recovery codes</h2>
      <RecoveryCodes codes={begun.recoveryCodes} email={email} />
      <h2>3. Type the code the app shows</h2>
      <FormError refused={refused} names={['code']} />
      <TextField
        label="Code of your authenticator app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Six digits. Every other device is signed out then."
        required
        refused={refused}
      />
      <SubmitButton intent="confirm" doing="Finishing…">
        Finish
      </SubmitButton>
    </Form>
  )
}

function Present({ codesLeft, email }: { codesLeft: number; email: string }) {
  const outcome = useActionData<typeof action>()
  return (
    <div className="stack">
      <p className="notice is-success">Your second factor is set up.</p>
      <FormError refused={refusalIn(outcome)} names={[]} />
      {outcome?.codes ? <RecoveryCodes codes={outcome.codes} email={email} /> : null}
      <p>
        {codesLeft === 0
          ? 'No recovery code is left: make new ones.'
          : `${codesLeft} recovery ${codesLeft === 1 ? 'code is' : 'codes are'} left.`}
      </p>
      <Form method="post" className="button-group">
        <SubmitButton intent="renewCodes" doing="Making…" className="button">
          Make new recovery codes
        </SubmitButton>
        <ConfirmButton
          intent="remove"
          question="Remove your second factor?"
          text="Signing in takes your password alone then. To use another phone, remove it and set it up again."
          answer="Remove it"
          className="button is-danger"
        >
          Remove the second factor
        </ConfirmButton>
      </Form>
    </div>
  )
}
