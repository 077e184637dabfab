import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ListBar } from '#app/components/list/list-bar.tsx'
import type { ListOffer, ListQuery } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Day } from '#app/components/list/time.tsx'
import { Avatar } from '#app/components/shell/avatar.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { builtInRoles } from '#functions/shapes/builtInRole.ts'

export interface UsersProps {
  query: ListQuery
  sorts: ListOffer['sorts']
  users: {
    id: string
    name: string
    email: string
    image: string | null
    role: string | null
    verified: boolean
    createdAt: Date | string
    places: { id: string; displayName: string }[]
  }[]
  total: number
  selfId: string
}

const roles: Record<string, string> = Object.fromEntries(
  Object.entries(builtInRoles).flatMap(([role, { name, scope }]) =>
    scope === 'global' ? [[role, name]] : [],
  ),
)

/** All people, and who of them may work in every organization. */
export function Users({ query, sorts, users, total, selfId }: UsersProps) {
  return (
    <>
      <ListBar
        query={query}
        sorts={sorts}
        searchLabel="Search people"
        filters={[
          {
            name: 'role',
            label: 'Role',
            options: Object.entries(roles).map(([value, label]) => ({ value, label })),
          },
        ]}
        end={<input type="hidden" name="tab" value="people" />}
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
