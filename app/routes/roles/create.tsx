import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { OperationChoices, operationsIn } from './operation-choices.tsx'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { choosable, everyOperation } from './role.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'superadmin')
  const { groups } = await load(args, { groups: everyOperation })
  return { groups: choosable(groups.results) }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, {
    create: {
      endpoint: v1.role.create,
      data: (form) => ({ id: form.get('id'), name: form.get('name'), operations: operationsIn(form) }),
      then: ({ id }: { id: string }) => `/rolesOperations/${id}`,
    },
  })
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Create a role')

const none: ReadonlySet<string> = new Set()

export default function CreateRole() {
  const { groups } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="Create a role"
      crumbs={[{ label: 'Roles and operations', to: '/rolesOperations' }]}
      sub="A role of places: organization admins give it to people of their team."
    >
      <EditForm
        thing="role/new"
        title="A new role"
        className="form is-wide"
        names={['id', 'name']}
        save={{ intent: 'create', label: 'Create', doing: 'Creating…' }}
        cancel={{ to: '/rolesOperations' }}
      >
        <div className="field-row">
          <TextField label="Name" name="name" required maxLength={200} />
          <TextField
            label="Name in code"
            name="id"
            hint="Lower case with _ between words. It stays."
            required
            pattern="[a-z][a-z0-9]*(_[a-z0-9]+)*"
            maxLength={64}
          />
        </div>
        <OperationChoices groups={groups} heldOperations={none} />
      </EditForm>
    </Screen>
  )
}
