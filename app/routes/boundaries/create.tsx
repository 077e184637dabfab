import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { FileFields, fileIn, fileNames } from './file-field.tsx'
import { OriginFields, originNames } from './origin-fields.tsx'

export async function loader(args: LoaderFunctionArgs) {
  await requirePermission(args, 'boundarySet.create', '/boundaries')
  return null
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, (formValues) => ({
    create: {
      endpoint: v1.place.boundarySet.create,
      data: (form) => ({
        ...Object.fromEntries(['name', ...originNames].map((name) => [name, formValues[name] ?? ''])),
        ...fileIn(form),
      }),
      then: ({ id }: { id: string }) => `/boundaries/${id}`,
    },
  }))
}

export const meta = placeTitle('Add boundaries')

export default function CreateBoundaries() {
  return (
    <Screen
      isNarrow
      title="Add boundaries"
      crumbs={[{ label: 'Boundaries', to: '/boundaries' }]}
      sub="Only you and admins see the set until you say who else does: first you see what was read."
    >
      <ShortForm
        encType="multipart/form-data"
        names={['name', ...fileNames, ...originNames]}
        save={{ intent: 'create', label: 'Read the file', doing: 'Reading…' }}
        cancel={{ to: '/boundaries' }}
      >
        <TextField label="Name" name="name" required maxLength={200} placeholder="Council districts" />
        <FileFields />
        <OriginFields />
      </ShortForm>
    </Screen>
  )
}
