import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { EmailAddress } from './email-address.tsx'
import { Connected } from './connected.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { LateEmails } from './late-emails.tsx'
import { OwnActivity } from './own-activity.tsx'
import { Password } from './password.tsx'
import { Places } from './places.tsx'
import { roleName } from '#functions/shapes/built-in-role.ts'
import { Sessions } from './sessions.tsx'
import { SsoSession } from './sso-session.tsx'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { keyIn, scopesFor } from '#app/components/form/key-form.ts'
import { Keys } from '#app/components/form/keys.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Day } from '#app/components/list/time.tsx'
import { WaitingInvites } from '#app/components/list/waiting-invites.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm, load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { id: userId, email } = guard(args, 'signedIn').user
  const params = { userId }
  const ssoPlaceId = args.context.ctx.actor.session?.ssoPlaceId
  if (ssoPlaceId) {
    const { place } = await load(args, {
      place: { endpoint: v1.place.findById, params: { placeId: ssoPlaceId } },
    })
    return { sso: { email, placeName: place.displayName } }
  }
  const account = await load(args, {
    user: { endpoint: v1.user.findById, params },
    sessions: v1.session.find,
    keys: { endpoint: v1.user.key.find, params },
    factor: v1.core.factor.state,
    connected: v1.core.sso.find,
    lateEmails: v1.core.lateData.emails,
    activity: { endpoint: v1.user.activity.find, params, options: { limit: 20 } },
  })
  const { actor, settings } = args.context.ctx
  return {
    sso: null,
    ...account,
    invites: actor.invites ?? [],
    hasOutbox: settings.environment !== 'production',
  }
}

export async function action(args: ActionFunctionArgs) {
  const { id: userId } = guard(args, 'signedIn').user
  // The session or key of a row's form; other forms have none.
  const form = await args.request.clone().formData()
  const id = String(form.get('id') ?? '')
  const data = (form: FormData) => ({ name: form.get('name') })
  const password = (form: FormData) => ({ password: form.get('password') })
  const outcome = await handleForm(args, {
    save: { endpoint: v1.user.updateById, params: { userId }, data },
    endSession: { endpoint: v1.session.deleteById, params: { sessionId: id } },
    endOthers: { endpoint: v1.session.purge },
    makeKey: { endpoint: v1.user.key.create, params: { userId }, data: keyIn },
    revokeKey: { endpoint: v1.user.key.deleteById, params: { userId, keyId: id } },
    changePassword: {
      endpoint: v1.core.auth.password,
      data: (formData) => ({ current: formData.get('current'), ...password(formData) }),
    },
    changeEmail: {
      endpoint: v1.core.auth.changeEmail,
      data: (formData) => ({ email: formData.get('email') }),
    },
    stopLate: { endpoint: v1.core.lateData.setEmails, data: () => ({ isOn: false }) },
    startLate: { endpoint: v1.core.lateData.setEmails, data: () => ({ isOn: true }) },
    disconnect: { endpoint: v1.core.sso.deleteById, params: { ssoId: id } },
    leave: { endpoint: v1.place.user.deleteById, params: { placeId: id, userId }, data: () => undefined },
    deleteAccount: {
      endpoint: v1.user.deleteById,
      params: { userId },
      data: password,
      then: () => '/explore',
    },
  })
  // Several forms share names of inputs: errors are shown in the submitted one.
  const of = String(form.get('intent'))
  const newKey = outcome.ok && outcome.intent === 'makeKey' ? outcome.result : null
  const left = outcome.ok && outcome.intent === 'changePassword' ? outcome.result.keys : null
  return { ...outcome, of, left, made: newKey && { name: newKey.name, key: newKey.key } }
}

export const meta = placeTitle('Account')

const done = {
  save: 'Saved.',
  endSession: 'Signed out there.',
  endOthers: 'Signed out everywhere else.',
  makeKey: 'The key is made.',
  revokeKey: 'The key is revoked.',
  changePassword: 'Your password is changed.',
  stopLate: 'You get no emails about late data any more.',
  startLate: 'You are written to when new data is late.',
  disconnect: 'Disconnected.',
  leave: 'You have left.',
}
/** Buttons of rows without a place for errors, which are shown at the top. */
const restOfPage = ['endSession', 'endOthers', 'stopLate', 'startLate']

export default function Account() {
  const loaderData = useLoaderData<typeof loader>()
  return loaderData.sso ? <SsoSession {...loaderData.sso} /> : <OwnAccount {...loaderData} />
}

type OwnAccount = Extract<ReturnType<typeof useLoaderData<typeof loader>>, { sso: null }>

function OwnAccount({
  user,
  sessions,
  keys,
  invites,
  factor,
  connected,
  activity,
  lateEmails,
  hasOutbox,
}: OwnAccount) {
  const outcome = useActionData<typeof action>()
  const findFormErrors = (intent: string) => (outcome?.of === intent ? readFormErrors(outcome) : undefined)
  return (
    <Screen isNarrow title="Account" sub={user.email} done={done}>
      <WaitingInvites invites={invites} />
      <Facts
        facts={[
          ['Role', user.role ? (roleName(user.role) ?? null) : null],
          ['Since', <Day key="since" date={user.createdAt} />],
          ['E-mail', user.verified ? 'Confirmed' : 'Not confirmed yet'],
        ]}
      />
      <ShortForm
        names={['name']}
        saved={user}
        save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
        intents={restOfPage}
      >
        <TextField label="Name" name="name" autoComplete="name" required maxLength={200} />
      </ShortForm>
      <Places places={user.places} errors={findFormErrors('leave')} />
      <EmailAddress
        key={outcome?.ok ? `email ${outcome.intent}` : 'email'}
        email={user.email}
        isSent={outcome?.of === 'changeEmail' && outcome.ok}
        hasOutbox={hasOutbox}
      />
      <Password key={outcome?.ok ? outcome.intent : ''} keys={outcome?.left ?? null} />
      <section className="stack" aria-labelledby="factor">
        <h2 id="factor">Second factor</h2>
        <p className="muted">
          {factor.isOn
            ? 'Signing in takes your password and a second factor: a passkey, or the code of an app.'
            : 'Signing in takes your password alone. A passkey, or an app that shows a code, makes your account safer.'}
        </p>
        <div className="button-group">
          <Link className="button" to="/account/second-factor">
            {factor.isOn ? 'Passkeys, app and recovery codes' : 'Set up a second factor'}
          </Link>
        </div>
      </section>
      <Connected identities={connected.results} errors={findFormErrors('disconnect')} />
      <Keys
        title="Account keys"
        text="A program that sends a key acts as you, as far as the key goes. Give each program a key of its own."
        keys={keys.results}
        scopes={scopesFor(user.role)}
        newKey={outcome?.made}
      />
      <Sessions sessions={sessions.results} />
      <LateEmails isOn={lateEmails.isOn} />
      <OwnActivity lines={activity.results} total={activity.meta.total} />
      <DeleteAccount />
    </Screen>
  )
}
