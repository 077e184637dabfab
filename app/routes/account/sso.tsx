import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLocation } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** Finds the organization whose provider signs in an address. */
export function loader(args: LoaderFunctionArgs) {
  return guard(args, 'signedOut')
}

export const action = (args: ActionFunctionArgs) =>
  handleFormKeepingValues(args, (formValues) => ({
    find: { endpoint: v1.core.sso.byEmail, data: () => ({ email: formValues.email }) },
  }))

export const meta = placeTitle('Sign in with your organization')

export default function Sso() {
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  const { search } = useLocation()
  const providers = outcome?.ok ? outcome.result.results : null
  return (
    <AccountCard
      title="Sign in with your organization"
      intro={<p>Your organization’s own sign-in, where it has connected one. You need no password here.</p>}
      foot={<Link to={`/login${search}`}>Sign in with a password instead</Link>}
    >
      {providers?.length ? (
        <ul className="list" role="status">
          {providers.map(({ placeId, placeName, name }) => (
            <li key={placeId} className="list-item">
              <div className="list-main">
                <div className="list-title">{placeName}</div>
                <div className="list-note">{name}</div>
              </div>
              {/* Leaves for another site, by a redirect of the server. */}
              <a className="button is-primary" href={startAddress(placeId, search)}>
                Go on<span className="sr-only"> to {placeName}</span>
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {providers?.length === 0 ? (
        <p className="notice is-warning" role="status">
          No organization signs in addresses like this one. Sign in with a password, or ask your
          organization’s administrators.
        </p>
      ) : null}
      <Form method="post" className="form">
        <FormError errors={errors} names={['email']} />
        <TextField
          label="E-mail at your organization"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus={!providers?.length}
          defaultValue={outcome && !outcome.ok ? outcome.formValues.email : undefined}
          errors={errors}
        />
        <SubmitButton intent="find" doing="Looking…" className={providers?.length ? 'button' : undefined}>
          Find my organization
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}

function startAddress(placeId: string, search: string): string {
  const redirectTo = new URLSearchParams(search).get('redirectTo')
  return `/login/sso/start?${new URLSearchParams({ place: placeId, ...(redirectTo && { redirectTo }) }).toString()}`
}
