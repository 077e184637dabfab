import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { areaName } from './areas.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { openTo } from './role.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** The matrix of roles and operations. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'superadmin')
  const { roles, groups } = await load(args, {
    roles: { endpoint: v1.role.find, options: { limit: 200 } },
    groups: { endpoint: v1.operations.group, options: { limit: 1000 } },
  })
  return {
    roles: roles.results,
    groups: groups.results.map(({ area, operations }) => ({
      area,
      operations: operations.map((operation) => ({ ...operation, openTo: openTo(operation.id) })),
    })),
  }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, (formValues) => ({
    add: {
      endpoint: v1.operations.create,
      data: () => ({ id: formValues.id, sentence: formValues.sentence }),
    },
    remove: { endpoint: v1.operations.deleteById, params: { operationsId: formValues.id ?? '' } },
  }))
}

export const meta = placeTitle('Roles and operations')

const done = { add: 'The operation is noted.', remove: 'The operation is gone.' }

export default function Roles() {
  const { roles, groups } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="Roles and operations"
      sub="What each role may do. A role is changed on its own page; what is changed counts from the next request on."
      actions={
        <>
          <Link className="button" to="/admin">
            Admin
          </Link>
          <Link className="button is-primary" to="/rolesOperations/role/create">
            Create a role
          </Link>
        </>
      }
      done={done}
    >
      <ul className="list">
        {roles.map((role) => (
          <li key={role.id} className="list-item">
            <div className="list-main">
              <p className="list-title">
                <Link to={`/rolesOperations/${role.id}`}>{role.name}</Link>
              </p>
              <p className="list-note">
                {role.scope === 'global' ? 'Everywhere' : 'In a place'}, {role.operations.length} operations
              </p>
            </div>
            <div className="list-meta">
              {role.isBuiltIn ? <span className="badge">Comes with the product</span> : null}
            </div>
          </li>
        ))}
      </ul>
      <RoleGrid {...{ roles, groups }} />
      <Noted
        operations={groups.flatMap(({ operations }) => operations.filter(({ isBuiltIn }) => !isBuiltIn))}
      />
      <NoteOperation />
    </Screen>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

/** Operations as rows, roles as columns. */
function RoleGrid({ roles, groups }: Screen) {
  return (
    <section className="stack" aria-labelledby="grid">
      <h2 id="grid">Who may do what</h2>
      <div className="table-box role-grid" tabIndex={0} role="region" aria-labelledby="grid">
        <table className="is-dense">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              {roles.map((role) => (
                <th key={role.id} scope="col">
                  {role.name}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(({ area, operations }) => (
            <tbody key={area}>
              <tr className="table-group">
                <th scope="rowgroup" colSpan={roles.length + 1}>
                  {areaName(area)}
                </th>
              </tr>
              {operations.map((operation) => (
                <tr key={operation.id}>
                  <th scope="row">
                    {operation.sentence}
                    {operation.isBuiltIn ? null : <span className="badge">Noted here</span>}
                  </th>
                  {operation.openTo === null ? (
                    roles.map((role) => <May key={role.id} may={operation.roles.includes(role.id)} />)
                  ) : (
                    <td className="is-no" colSpan={roles.length}>
                      {operation.openTo}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  )
}

function May({ may }: { may: boolean }) {
  return <td className={may ? 'is-yes' : 'is-no'}>{may ? 'Yes' : <span aria-label="No">–</span>}</td>
}

function Noted({ operations }: { operations: { id: string; sentence: string }[] }) {
  if (!operations.length) return null
  return (
    <section className="stack" aria-labelledby="noted">
      <h2 id="noted">Noted operations</h2>
      <ul className="list">
        {operations.map(({ id, sentence }) => (
          <li key={id} className="list-item">
            <div className="list-main">
              <p className="list-title">{sentence}</p>
              <p className="list-note">
                <code>{id}</code>
              </p>
            </div>
            <Form method="post" className="list-actions" preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <ConfirmButton
                intent="remove"
                question={`Delete ${id}?`}
                text="Roles that hold it lose it."
                answer="Delete"
              >
                Delete<span className="sr-only"> {id}</span>
              </ConfirmButton>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NoteOperation() {
  const { groups } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  return (
    <section className="stack" aria-labelledby="add">
      <h2 id="add">Note an operation</h2>
      <p className="muted">
        One that your own programs ask about. It opens nothing here: only operations that come with the
        product do.
      </p>
      <ShortForm
        key={outcome?.ok ? groups.length : 'form'}
        preventScrollReset
        names={['id', 'sentence']}
        save={{ intent: 'add', label: 'Note it', doing: 'Noting…', className: 'button' }}
        intents={['remove']}
      >
        <TextField
          label="Name"
          name="id"
          hint="Area and verb with a dot between them, such as report.print"
          required
        />
        <TextField label="What it is" name="sentence" required maxLength={500} />
      </ShortForm>
    </section>
  )
}
