import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { CopyButton } from '#app/components/form/copy-button.tsx'
import { CheckField, SelectField, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn, type RefusedForm } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { MailDomainRow } from './mail-domain-row.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** How the people of the organization sign in by its own provider: the provider, and the mail domains it speaks for. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'orgAdmin')
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
  return actKeeping(args, (given) => {
    const named = { mailDomainId: given.domain ?? '' }
    return {
      save: {
        endpoint: saveSso,
        data: (form) => ({
          name: given.name,
          issuer: given.issuer,
          clientId: given.clientId,
          ...(given.secret ? { secret: given.secret } : {}),
          role: given.role,
          isOn: form.has('isOn'),
        }),
      },
      remove: { endpoint: removeSso, data: () => undefined },
      addDomain: { endpoint: mailDomain.create, data: () => ({ domain: given.domain }) },
      check: { endpoint: mailDomain.verify, params: named, data: () => undefined },
      giveUp: { endpoint: mailDomain.deleteById, params: named, data: () => undefined },
    }
  })
}

export const meta = placeTitle('Sign-in')

const done = {
  save: 'Saved. The provider answers as it should.',
  remove: 'Removed. Nobody signs in by it any more.',
  addDomain: 'Now set the record below.',
  giveUp: 'Given up.',
}

export default function SignIn() {
  const { provider, domains } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, done)
  const refused = refusalIn(outcome)
  const intent = outcome && !outcome.ok ? outcome.given.intent : undefined
  const isProved = domains.some(({ verifiedAt }) => verifiedAt !== null)
  return (
    <div className="page-wide">
      <PageHead
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
      />
      <OrgTabs />
      {intent === 'save' || intent === 'addDomain' ? null : <FormError refused={refused} names={[]} />}
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
    </div>
  )
}
