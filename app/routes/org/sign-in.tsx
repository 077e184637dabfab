import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { ShortForm, useSentForm } from '#app/components/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#app/components/form/field.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { MailDomainRow } from './mail-domain-row.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { requireManager } from './manage.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** Single sign-on of the organization: its provider, and the email domains it is trusted for. */
export async function loader(args: LoaderFunctionArgs) {
  await requireManager(args, 'sso.read')
  const { sso, domains, roles } = await load(args, {
    sso: v1.place.sso,
    domains: { endpoint: v1.place.mailDomain.find, options: { limit: 100 } },
    roles: { endpoint: v1.role.find, options: { filters: { scope: 'place' }, limit: 200 } },
  })
  const roleOptions = roles.results
    .filter(({ id }) => id !== 'organization_admin')
    .map(({ id, name }) => ({ value: id, label: name }))
  return { ...sso, domains: domains.results, roles: roleOptions }
}

export async function action(args: ActionFunctionArgs) {
  const { mailDomain, saveSso, removeSso } = v1.place
  return handleFormKeepingValues(args, (formValues) => {
    const params = { mailDomainId: formValues.domain ?? '' }
    return {
      save: {
        endpoint: saveSso,
        data: (form) => ({
          name: formValues.name,
          issuer: formValues.issuer,
          clientId: formValues.clientId,
          ...(formValues.secret ? { secret: formValues.secret } : {}),
          role: formValues.role,
          isOn: form.has('isOn'),
        }),
      },
      remove: { endpoint: removeSso, data: () => undefined },
      addDomain: { endpoint: mailDomain.create, data: () => ({ domain: formValues.domain }) },
      check: { endpoint: mailDomain.verify, params, data: () => undefined },
      letJoin: {
        endpoint: mailDomain.updateById,
        params,
        data: () => ({ letsJoin: formValues.letsJoin === 'yes' }),
      },
      giveUp: { endpoint: mailDomain.deleteById, params, data: () => undefined },
    }
  })
}

export const meta = placeTitle('Sign-in')

const done = {
  save: 'Saved. The provider answers as it should.',
  remove: 'Removed. Nobody signs in by it any more.',
  addDomain: 'Now set the record below.',
  letJoin: 'Saved.',
  giveUp: 'Given up.',
}

export default function SignIn() {
  const { provider, domains } = useLoaderData<typeof loader>()
  const isProved = domains.some(({ verifiedAt }) => verifiedAt !== null)
  return (
    <Screen
      title="Sign-in"
      crumbs={[{ label: 'Manage organization', to: '/org/manage' }]}
      sub="Your people sign in with the accounts they have at your organization."
      badges={
        provider?.isOn && isProved ? (
          <span className="badge is-success">On</span>
        ) : (
          <span className="badge">Off</span>
        )
      }
      done={done}
    >
      <OrgTabs />
      <ActionError besides={['save', 'addDomain']} />
      {provider?.isOn && !isProved ? (
        <p className="notice is-warning">
          Nobody can sign in yet: prove the domain of your mail addresses below.
        </p>
      ) : null}
      {provider?.lastError ? (
        <p className="notice is-warning">
          The last try failed, <Moment date={provider.lastErrorAt ?? ''} />: {provider.lastError}
        </p>
      ) : null}
      <div className="settings">
        <ProviderSection />
        <DomainsSection />
      </div>
    </Screen>
  )
}

/** The single sign-on provider: its settings, and the people who have signed in by it. */
function ProviderSection() {
  const { redirectUri, provider } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  return (
    <section aria-labelledby="provider">
      <h2 id="provider">Provider</h2>
      <div className="stack">
        <p>
          Any provider of OpenID Connect, such as Microsoft Entra ID, Google, Okta or Keycloak. Register
          Commonplace there as a web application that sends people back to this address:
        </p>
        <p className="row">
          <code className="code">{redirectUri}</code>
          <CopyButton text={redirectUri} what="the address" />
        </p>
        <ShortForm
          preventScrollReset
          key={outcome?.ok ? outcome.intent : 'form'}
          names={['name', 'issuer', 'clientId', 'secret', 'role', 'isOn']}
          saved={provider ?? { role: 'viewer' }}
          save={{ intent: 'save', label: 'Save', doing: 'Asking the provider…' }}
        >
          <ProviderFields />
        </ShortForm>
        {provider ? <ProviderUse provider={provider} /> : null}
      </div>
    </section>
  )
}

function ProviderFields() {
  const { provider, roles } = useLoaderData<typeof loader>()
  const { formValues } = useSentForm('save')
  return (
    <>
      <TextField
        label="Name"
        name="name"
        hint="What your people know it as, such as “City account”."
        required
        maxLength={60}
      />
      <TextField
        label="Issuer or discovery address"
        name="issuer"
        type="url"
        hint="Such as https://login.example.org, or the address that ends in /.well-known/openid-configuration."
        required
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label="Client id"
        name="clientId"
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label="Client secret"
        name="secret"
        type="password"
        hint={
          provider
            ? 'It is kept and not shown. Leave it empty to keep it.'
            : 'It is stored encrypted and never shown again.'
        }
        required={!provider}
        maxLength={1000}
        autoComplete="off"
      />
      <SelectField
        label="Role for new people"
        name="role"
        hint="What someone may do here who signs in for the first time. Organization admins are made one by one."
        options={roles}
      />
      <CheckField
        label="Let people sign in by it"
        name="isOn"
        value="yes"
        defaultChecked={formValues ? formValues.isOn === 'yes' : (provider?.isOn ?? true)}
      />
    </>
  )
}

type Provider = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['provider']>

/** The people who have signed in by the provider, and the button to remove it. */
function ProviderUse({ provider }: { provider: Provider }) {
  return (
    <>
      <p className="muted">
        {provider.people === 1 ? 'One person has' : `${provider.people} people have`} signed in by it
        {provider.lastUsedAt ? (
          <>
            , last <Moment date={provider.lastUsedAt} />
          </>
        ) : null}
        . Who leaves your organization is signed out here within a day.
      </p>{' '}
      <Form method="post" preventScrollReset>
        <ConfirmButton
          intent="remove"
          question="Remove the provider?"
          text="Everyone it has signed in is signed out at once. They keep their accounts, and sign in with a password."
          answer="Remove it"
          className="button is-danger"
        >
          Remove the provider
        </ConfirmButton>
      </Form>
    </>
  )
}

/** The email domains of the provider, and the form that adds one. */
function DomainsSection() {
  const { domains } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const checked = outcome?.ok && outcome.intent === 'check' ? outcome.result : null
  return (
    <section aria-labelledby="domains">
      <h2 id="domains">Mail domains</h2>
      <div className="stack">
        <p>
          Your provider is believed only about addresses of domains that you prove to be yours. An address
          that has an account here already is connected by its owner, not by the provider. Of a domain that is
          proved you may also let the people join by themselves, as viewers.
        </p>
        {domains.length ? (
          <ul className="list">
            {domains.map((each) => (
              <MailDomainRow
                key={each.id}
                domain={each}
                foundRecords={checked?.id === each.id ? checked.found : undefined}
              />
            ))}
          </ul>
        ) : (
          <EmptyState
            level={3}
            title="No mail domain yet"
            text="With example.org, people with an address such as ada@example.org sign in."
          />
        )}
        <ShortForm
          preventScrollReset
          key={outcome?.ok ? `domain ${outcome.intent}` : 'domain'}
          names={['domain']}
          save={{ intent: 'addDomain', label: 'Add the domain', doing: 'Adding…', className: 'button' }}
        >
          <TextField
            label="Mail domain"
            name="domain"
            hint="What stands after the @. Parts of a domain, such as sub.example.org, are named by themselves."
            required
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
          />
        </ShortForm>
      </div>
    </section>
  )
}
