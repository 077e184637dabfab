import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useToast } from '#app/client/use-toast.ts'
import { AccountCard } from './account-card.tsx'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { PasswordField } from './credential-fields.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors, type FormErrors } from '#app/components/form/issues.ts'
import { parseJsonOrText } from '#app/components/form/typed-text.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm, load } from '#app/server/load.server.ts'
import { redirectTarget, guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'signedIn')
  const { factor, passkeys } = await load(args, {
    factor: v1.core.factor.state,
    passkeys: v1.core.passkey.find,
  })
  return { factor, passkeys: passkeys.results, email: user.email, goOn: redirectTarget(args) }
}

export async function action(args: ActionFunctionArgs) {
  guard(args, 'signedIn')
  const { core } = v1
  const nothing = () => undefined
  const name = (form: FormData) => ({ name: form.get('name') })
  // The passkey of a row's form; other forms have none.
  const form = await args.request.clone().formData()
  const params = { passkeyId: String(form.get('id') ?? '') }
  const outcome = await handleForm(args, {
    enrol: { endpoint: core.factor.enrol, data: (form) => ({ password: form.get('password') }) },
    confirm: { endpoint: core.factor.confirm, data: (form) => ({ code: form.get('code') }) },
    renewCodes: { endpoint: core.factor.renewCodes, data: nothing },
    remove: { endpoint: core.factor.remove, data: nothing },
    beginPasskey: { endpoint: core.passkey.begin, data: nothing },
    addPasskey: {
      endpoint: core.passkey.create,
      data: (formData) => ({ ...name(formData), passkey: parseJsonOrText(String(formData.get('passkey'))) }),
    },
    renamePasskey: { endpoint: core.passkey.updateById, params, data: name },
    removePasskey: { endpoint: core.passkey.deleteById, params, data: nothing },
  })
  return {
    ...outcome,
    // Several forms share names of inputs: errors are shown in the submitted one.
    of: `${String(form.get('intent'))} ${params.passkeyId}`.trim(),
    begun: outcome.ok && outcome.intent === 'enrol' ? outcome.result : null,
    creation: outcome.ok && outcome.intent === 'beginPasskey' ? outcome.result : null,
    codes:
      outcome.ok && (outcome.intent === 'renewCodes' || outcome.intent === 'addPasskey')
        ? outcome.result.recoveryCodes
        : null,
  }
}

export const meta = placeTitle('Second factor')

export default function SecondFactor() {
  const { factor, passkeys, email, goOn } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome?.ok ? outcome : undefined, {
    confirm: 'Your app is set up.',
    remove: 'Your app is removed.',
    addPasskey: 'The passkey is added.',
    renamePasskey: 'The passkey is renamed.',
    removePasskey: 'The passkey is removed.',
  })
  const findFormErrors = (of: string) => (outcome?.of === of ? readFormErrors(outcome) : undefined)
  return (
    <AccountCard
      title="Second factor"
      intro={
        <p>
          {factor.isRequired && !factor.isOn
            ? 'Super admins sign in with a second factor. Set one up to go on: a passkey, or an app on your phone that shows a code.'
            : 'With a second factor, nobody signs in as you with your password alone: it takes a passkey or the code of an app as well.'}
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
      {factor.isOn ? <p className="notice is-success">Your second factor is set up.</p> : null}
      {outcome?.codes?.length ? <RecoveryCodes codes={outcome.codes} email={email} /> : null}
      <Passkeys passkeys={passkeys} creation={outcome?.creation ?? null} findFormErrors={findFormErrors} />
      <section className="stack" aria-labelledby="app">
        <h2 id="app">Authenticator app</h2>
        {factor.hasApp ? <App errors={findFormErrors('remove')} /> : <SetUp email={email} />}
      </section>
      {factor.isOn ? <Codes codesLeft={factor.codesLeft} errors={findFormErrors('renewCodes')} /> : null}
    </AccountCard>
  )
}

/** The app's secret stays on the screen until its first code is accepted. */
function SetUp({ email }: { email: string }) {
  const outcome = useActionData<typeof action>()
  const errors = /^(enrol|confirm)$/.test(outcome?.of ?? '') ? readFormErrors(outcome) : undefined
  const [enrolment, setEnrolment] = useState(outcome?.begun ?? null)
  const formValues = outcome?.begun
  useEffect(() => {
    if (formValues) setEnrolment(formValues)
  }, [formValues])
  if (!enrolment)
    return (
      <Form method="post" className="form">
        <FormError errors={errors} names={['password']} />
        <PasswordField
          label="Your password"
          hint="Asked once more before an app is set up."
          errors={errors}
        />
        <SubmitButton intent="enrol" doing="Beginning…">
          Set up an app
        </SubmitButton>
      </Form>
    )
  return (
    <Form method="post" className="form">
      <h3>1. Add this account to the app</h3>
      <p>Any authenticator app will do. Scan the picture with it, or type the key.</p>
      <img
        className="factor-picture"
        src={`data:image/svg+xml,${encodeURIComponent(enrolment.picture)}`}
        alt="The key below, as a QR code"
        width={200}
        height={200}
      />
      <TextField
        label="Key"
        name="shownKey"
        value={enrolment.key}
        readOnly
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p>
        <a href={enrolment.uri}>Open in an app on this device</a>
      </p>
      {enrolment.recoveryCodes.length ? (
        <>
          <h3>2. Keep the recovery codes</h3>
          <RecoveryCodes codes={enrolment.recoveryCodes} email={email} />
        </>
      ) : null}
      <h3>{enrolment.recoveryCodes.length ? '3' : '2'}. Type the code the app shows</h3>
      <FormError errors={errors} names={['code']} />
      <TextField
        label="Code of your authenticator app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Six digits. Every other device is signed out then."
        required
        errors={errors}
      />
      <SubmitButton intent="confirm" doing="Finishing…">
        Finish
      </SubmitButton>
    </Form>
  )
}

function App({ errors }: { errors: FormErrors | undefined }) {
  return (
    <Form method="post" className="stack">
      <p>Signing in can be ended with a code of your app.</p>
      <FormError errors={errors} names={[]} />
      <div className="button-group">
        <ConfirmButton
          intent="remove"
          question="Remove your authenticator app?"
          text="Without a passkey, signing in takes your password alone then. To use another phone, remove the app and set it up again."
          answer="Remove it"
          className="button is-danger"
        >
          Remove the app
        </ConfirmButton>
      </div>
    </Form>
  )
}

function Codes({ codesLeft, errors }: { codesLeft: number; errors: FormErrors | undefined }) {
  return (
    <section className="stack" aria-labelledby="codes">
      <h2 id="codes">Recovery codes</h2>
      <FormError errors={errors} names={[]} />
      <p>
        {codesLeft === 0
          ? 'No recovery code is left: make new ones.'
          : `${codesLeft} recovery ${codesLeft === 1 ? 'code is' : 'codes are'} left.`}
      </p>
      <Form method="post" className="button-group">
        <SubmitButton intent="renewCodes" doing="Making…" className="button">
          Make new recovery codes
        </SubmitButton>
      </Form>
    </section>
  )
}
