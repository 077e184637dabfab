import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { OperationChoices, operationsIn } from './operation-choices.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { versionIn } from '#app/server/keeping.server.ts'
import { act } from '#app/server/load.server.ts'
import { choosable, roleScreen } from './role.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { KeptForm } from '#app/components/form/kept-form.tsx'

export async function loader(args: LoaderFunctionArgs) {
  const { role, groups } = await roleScreen(args)
  return { role, groups: choosable(groups, role.operations) }
}

export function action(args: ActionFunctionArgs) {
  return act(args, {
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

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/kept/keep-typed.ts'

export const meta = placeTitle<{ role: { name: string } }>(({ role }) => `Modify ${role.name}`)

export default function ModifyRole() {
  const { role, groups } = useLoaderData<typeof loader>()
  const refused = refusalIn(useActionData<typeof action>())
  const url = `/rolesOperations/${role.id}`
  return (
    <div className="page-wide">
      <PageHead
        title={`Modify ${role.name}`}
        crumbs={[
          { label: 'Roles and operations', to: '/rolesOperations' },
          { label: role.name, to: url },
        ]}
      />
      <KeptForm thing={`role/${role.id}`} title={role.name} version={role.version} className="form is-wide">
        <FormError refused={refused} names={['name']} />
        <input type="hidden" name="version" value={role.version} />
        <TextField
          label="Name"
          name="name"
          required
          maxLength={200}
          defaultValue={role.name}
          refused={refused}
        />
        <OperationChoices groups={groups} held={new Set(role.operations)} />
        <div className="form-actions">
          <SubmitButton intent="save" doing="Saving…">
            Save
          </SubmitButton>
          <Link className="button" to={url}>
            Cancel
          </Link>
        </div>
      </KeptForm>
    </div>
  )
}
