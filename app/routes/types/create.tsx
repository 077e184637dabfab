import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { EditForm, useSentForm } from '#app/components/form/edit-form.tsx'
import { SchemaFields } from './schema/schema-fields.tsx'
import { TypeSettings, typeNames } from './type-settings.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues, textOrNull } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { categoriesInUse, documentIn, documentOfType } from '#app/server/type-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

const first = {
  schema: { id: { name: 'Id', type: 'text' as const, notes: 'What the source knows a record by.' } },
  temporal: null,
  mappingLabelSchema: null,
}

/** A new data type, empty or (`?from=`) as a copy of another. */
export async function loader(args: LoaderFunctionArgs) {
  await requirePermission(args, 'dataType.create', '/types/catalog')
  const from = new URL(args.request.url).searchParams.get('from')?.slice(0, 63)
  const [categories, copied] = await Promise.all([
    categoriesInUse(args),
    from
      ? load(args, { dataType: { endpoint: v1.dataType.findById, params: { dataTypeId: from } } })
      : Promise.resolve(null),
  ])
  const model = copied?.dataType
  return {
    categories,
    from: model ? { id: model.id, name: model.name } : null,
    value: {
      name: model ? `${model.name} (copy)` : '',
      category: model?.category ?? '',
      notes: model?.notes ?? '',
    },
    document: model ? documentOfType(model) : documentOfType(first),
  }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, () => ({
    create: {
      endpoint: v1.dataType.create,
      data: (form) => {
        const { renames: _none, ...document } = documentIn(form)
        return {
          ...document,
          name: form.get('name'),
          category: textOrNull(form, 'category'),
          notes: form.get('notes') ?? '',
        }
      },
      then: ({ id }: { id: string }) => `/types/${id}`,
    },
  }))
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Create a data type')

export default function CreateType() {
  const { categories, from, value, document } = useLoaderData<typeof loader>()
  const { errors, formValues } = useSentForm('create')
  const [canBeSaved, setCanBeSaved] = useState(true)
  const handleChange = useCallback((_json: string, isGood: boolean) => setCanBeSaved(isGood), [])
  return (
    <Screen
      title="Create a data type"
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: 'Data types', to: '/types/catalog' },
      ]}
      sub={
        from ? (
          <>
            A copy of <Link to={`/types/${from.id}`}>{from.name}</Link>: the records of both stay apart.
          </>
        ) : (
          'What records of one kind are made of. Sources hold the records.'
        )
      }
    >
      <EditForm
        thing="type/new"
        title="A new data type"
        className="form is-wide"
        names={typeNames}
        saved={value}
        save={{ intent: 'create', label: 'Create', doing: 'Creating…' }}
        cancel={{ to: '/types/catalog' }}
        note={canBeSaved ? null : <span className="field-error">Some fields are not right yet.</span>}
      >
        <TypeSettings categories={categories} />
        <h2>Fields</h2>
        <SchemaFields
          document={document}
          isNew
          errors={errors}
          formValues={formValues?.document}
          onChange={handleChange}
        />
      </EditForm>
    </Screen>
  )
}
