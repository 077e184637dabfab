import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { List } from '#app/components/list/list.tsx'
import { byName, newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Day } from '#app/components/list/time.tsx'
import { Avatar } from '#app/components/shell/avatar.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { builtInRoles } from '#functions/shapes/built-in-role.ts'
import { v1 } from '#functions/v1/index.ts'

const roles = Object.entries(builtInRoles).flatMap(([value, { name, scope }]) =>
  scope === 'global' ? [{ value, label: name }] : [],
)

const offer: ListOffer = {
  sorts: { created: newest, name: byName },
  filters: { role: { label: 'Role', options: roles } },
}

export async function loader(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'superadmin')
  const { options, ...list } = await listRequest(args, offer)
  const { users } = await load(args, { users: { endpoint: v1.user.find, options } })
  return { list: { ...list, total: users.meta.total }, users: users.results, selfId: user.id }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, (formValues) => ({
    role: {
      endpoint: v1.user.updateById,
      params: { userId: formValues.userId ?? '' },
      data: () => ({ role: formValues.role || null }),
    },
  }))
}

export const meta = placeTitle('Admin')

/** All people, and those who can work in every organization. */
export default function AdminPeople() {
  const { list, users, selfId } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, { role: 'The role is changed.' })
  return (
    <>
      <ActionError />
      <List
        {...{ offer, list }}
        noun="people"
        visibleCount={users.length}
        noResults={{ text: 'No one fits what you are looking for.', all: 'Show everyone' }}
        empty={{ title: 'No one is here yet' }}
      >
        <ul className="list">
          {users.map((user) => (
            <li key={user.id} className="list-item">
              <Avatar name={user.name} image={user.image} />
              <div className="list-main">
                <p className="list-title">
                  {user.name} {user.verified ? null : <span className="badge is-warning">Not confirmed</span>}
                </p>
                <p className="list-note truncate">
                  {user.email}, since <Day date={user.createdAt} />
                  {user.places.length ? `, in ${user.places.map((each) => each.displayName).join(', ')}` : ''}
                </p>
              </div>
              <div className="list-actions">
                {user.id === selfId ? (
                  <span className="badge">You</span>
                ) : (
                  <Form method="post" className="row" preventScrollReset key={user.role}>
                    <input type="hidden" name="userId" value={user.id} />
                    <select name="role" aria-label={`Role of ${user.name}`} defaultValue={user.role ?? ''}>
                      <option value="">No role everywhere</option>
                      {roles.map(({ value, label }) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </select>
                    <ConfirmButton
                      intent="role"
                      question={`Change what ${user.name} may do everywhere?`}
                      text="Super admins may do everything in every organization; support may read everything."
                      answer="Change"
                      className="button is-small"
                    >
                      Change<span className="sr-only"> the role of {user.name}</span>
                    </ConfirmButton>
                  </Form>
                )}
              </div>
            </li>
          ))}
        </ul>
      </List>
    </>
  )
}
