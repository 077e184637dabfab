import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { AboutFields, aboutNames } from '#app/components/form/about-fields.tsx'
import { TagsField } from '#app/components/form/tags-field.tsx'
import { collectionIn } from './collection.server.ts'
import { DeleteButton, EditForm } from '#app/components/form/edit-form.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  await requirePermission(args, 'collection.update', `/collections/${args.params.collectionId}`)
  const { collection } = await load(args, { collection: v1.place.collection.findById })
  return { collection, mayDelete: hasPermission(args.context.ctx, 'collection.delete') }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, {
    save: {
      endpoint: v1.place.collection.updateById,
      data: collectionIn,
      then: ({ id }: { id: string }) => `/collections/${id}`,
    },
    delete: { endpoint: v1.place.collection.deleteById, then: () => '/collections?deleted=true' },
  })
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ collection: { name: string } }>(
  ({ collection }) => `Modify ${collection.name}`,
)

export default function ModifyCollection() {
  const { collection, mayDelete } = useLoaderData<typeof loader>()
  const url = `/collections/${collection.id}`
  return (
    <Screen
      isNarrow
      title={`Modify ${collection.name}`}
      crumbs={[
        { label: 'Insights', to: '/collections' },
        { label: collection.name, to: url },
      ]}
      actions={
        mayDelete ? (
          <DeleteButton
            name={collection.name}
            text="Its insights stay. The collection can be brought back for 30 days."
          />
        ) : undefined
      }
    >
      <EditForm
        thing={`collection/${collection.id}`}
        title={collection.name}
        version={collection.version}
        names={[...aboutNames, 'tags']}
        saved={collection}
        save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
        cancel={{ to: url }}
      >
        <AboutFields hint="What its insights have in common." />
        <TagsField />
      </EditForm>
    </Screen>
  )
}
