import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { ListBar } from '#app/components/list/list-bar.tsx'
import { listQuery, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Day } from '#app/components/list/time.tsx'
import { Avatar } from '#app/components/shell/avatar.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { actKeeping } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { builtInRoles } from '#functions/shapes/builtInRole.ts'
import { v1 } from '#functions/v1/index.ts'

const offer: ListOffer = {
  sorts: {
    created: { label: 'Newest first', field: 'createdAt', direction: 'desc' },
    name: { label: 'By name', field: 'name', direction: 'asc' },
  },
  filters: { role: ['super_admin', 'support'] },
}

export async function loader(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'superadmin')
  const query = listQuery(new URL(args.request.url), offer)
  const { users } = await load(args, { users: { endpoint: v1.user.find, options: query.options } })
  return { query, users: users.results, total: users.meta.total, selfId: user.id }
}

export function action(args: ActionFunctionArgs) {
  return actKeeping(args, (formValues) => ({
    role: {
      endpoint: v1.user.updateById,
      params: { userId: formValues.userId ?? '' },
      data: () => ({ role: formValues.role || null }),
    },
  }))
}

export const meta = placeTitle('Admin')

const roles: Record<string, string> = Object.fromEntries(
  Object.entries(builtInRoles).flatMap(([role, { name, scope }]) =>
    scope === 'global' ? [[role, name]] : [],
  ),
)

/** All people, and who of them may work in every organization. */
export default function AdminPeople() {
  const { query, users, total, selfId } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, { role: 'The role is changed.' })
  return (
    <>
      <FormError refused={refusalIn(outcome)} names={[]} />
      <ListBar
        query={query}
        sorts={offer.sorts}
        searchLabel="Search people"
        filters={[
          {
            name: 'role',
            label: 'Role',
            options: Object.entries(roles).map(([value, label]) => ({ value, label })),
          },
        ]}
      />
      {users.length ? (
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
                      {Object.entries(roles).map(([value, label]) => (
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
      ) : (
        <EmptyState title="No results!" text="No one fits what you are looking for." />
      )}
      <Pager query={query} shown={users.length} total={total} noun="people" />
    </>
  )
}
