import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { OperationChoices, operationsIn } from './operation-choices.tsx'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues, versionIn } from '#app/server/form-values.server.ts'
import { choosable, roleScreen } from './role.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { role, groups } = await roleScreen(args)
  return { role, groups: choosable(groups, role.operations) }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, {
    save: {
      endpoint: v1.role.updateById,
      data: (form) => ({
        name: form.get('name'),
        operations: operationsIn(form),
        version: versionIn(form),
      }),
      then: ({ id }: { id: string }) => `/rolesOperations/${id}`,
    },
  })
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ role: { name: string } }>(({ role }) => `Modify ${role.name}`)

export default function ModifyRole() {
  const { role, groups } = useLoaderData<typeof loader>()
  const url = `/rolesOperations/${role.id}`
  return (
    <Screen
      title={`Modify ${role.name}`}
      crumbs={[
        { label: 'Roles and operations', to: '/rolesOperations' },
        { label: role.name, to: url },
      ]}
    >
      <EditForm
        thing={`role/${role.id}`}
        title={role.name}
        version={role.version}
        className="form is-wide"
        names={['name']}
        saved={role}
        save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
        cancel={{ to: url }}
      >
        <TextField label="Name" name="name" required maxLength={200} />
        <OperationChoices groups={groups} heldOperations={new Set(role.operations)} />
      </EditForm>
    </Screen>
  )
}
