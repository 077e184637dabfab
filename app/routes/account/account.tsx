import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Day } from '#app/components/list/time.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { act, load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { id: userId } = guard(args, 'signedIn').user
  return load(args, { user: { endpoint: v1.user.findById, params: { userId } } })
}

export function action(args: ActionFunctionArgs) {
  const { id: userId } = guard(args, 'signedIn').user
  return act(args, {
    save: { endpoint: v1.user.updateById, params: { userId }, data: (form) => ({ name: form.get('name') }) },
  })
}

export const meta = placeTitle('Account')

const done = { save: 'Saved.' }
const roleNames: Record<string, string> = {
  super_admin: 'Super admin',
  support: 'Support',
  organization_admin: 'Organization admin',
  content_admin: 'Content admin',
  member: 'Member',
  viewer: 'Viewer',
}

export default function Account() {
  const { user } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const refused = refusalIn(outcome)
  useToast(outcome, done)
  return (
    <div className="page-narrow">
      <PageHead title="Account" sub={user.email} />
      <Facts
        facts={[
          ['Role', user.role ? roleNames[user.role] : null],
          ['Since', <Day key="since" date={user.createdAt} />],
          ['E-mail', user.verified ? 'Confirmed' : 'Not confirmed yet'],
        ]}
      />
      <Form method="post" className="form">
        <FormError refused={refused} names={['name']} />
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={200}
          defaultValue={user.name}
          refused={refused}
        />
        <div className="form-actions">
          <SubmitButton intent="save" doing="Saving…">
            Save
          </SubmitButton>
        </div>
      </Form>
      <section className="stack" aria-labelledby="places">
        <h2 id="places">Organizations</h2>
        {user.places.length ? (
          <ul className="list">
            {user.places.map((place) => (
              <li key={place.id} className="list-item">
                <div className="list-main list-title">{place.displayName}</div>
                <div className="list-meta">
                  {place.role ? (roleNames[place.role] ?? place.role) : 'No role yet'}
                </div>
              </li>
            ))}
          </ul>
        ) : (
          <p className="muted">You belong to no organization yet. An invitation brings you into one.</p>
        )}
      </section>
      <section className="stack" aria-labelledby="leave">
        <h2 id="leave">Sign out</h2>
        <Form method="post" action="/logout">
          <button className="button" name="intent" value="logout">
            Sign out on this device
          </button>
        </Form>
      </section>
    </div>
  )
}
