import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData } from '@remix-run/react'
import { areaName } from './areas.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Day } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleForm } from '#app/server/load.server.ts'
import { roleScreen } from './role.server.ts'
import { v1 } from '#functions/v1/index.ts'

export const loader = roleScreen

export function action(args: ActionFunctionArgs) {
  return handleForm(args, { delete: { endpoint: v1.role.deleteById, then: () => '/rolesOperations' } })
}

export const meta = placeTitle<{ role: { name: string } }>(({ role }) => role.name)

/** The operations of a role in words, by area. */
export default function Role() {
  const { role, groups } = useLoaderData<typeof loader>()
  const grantedIds = new Set(role.operations)
  return (
    <Screen
      title={role.name}
      crumbs={[{ label: 'Roles and operations', to: '/rolesOperations' }]}
      badges={role.isBuiltIn ? <span className="badge">Comes with the product</span> : null}
      actions={
        <>
          <Link className="button" to={`/rolesOperations/${role.id}/modify`}>
            Modify
          </Link>
          {role.isBuiltIn ? null : (
            <Form method="post">
              <ConfirmButton
                intent="delete"
                className="button is-danger"
                question={`Delete the role ${role.name}?`}
                text="It cannot be deleted while someone has it."
                answer="Delete"
              >
                Delete
              </ConfirmButton>
            </Form>
          )}
        </>
      }
    >
      <ActionError />
      <Facts
        facts={[
          ['Name in code', <code key="id">{role.id}</code>],
          ['Holds', role.scope === 'global' ? 'everywhere' : 'in one place'],
          ['Operations', `${role.operations.length}`],
          ['Created', <Day key="day" date={role.createdAt} />],
        ]}
      />
      {groups.map(({ area, operations }) => {
        const grantedOperations = operations.filter(({ id }) => grantedIds.has(id))
        return grantedOperations.length ? (
          <section key={area} className="stack">
            <h2>{areaName(area)}</h2>
            <ul className="bullets">
              {grantedOperations.map(({ id, sentence }) => (
                <li key={id}>{sentence}</li>
              ))}
            </ul>
          </section>
        ) : null
      })}
    </Screen>
  )
}
