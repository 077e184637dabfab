import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { CollectionTextForm, textNames } from './collection-text-form.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** A new text of a collection, which is created only when saved. */
export async function loader(args: LoaderFunctionArgs) {
  await requirePermission(args, 'collection.update', `/collections/${args.params.collectionId}`)
  return load(args, { collection: v1.place.collection.findById })
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, {
    create: {
      endpoint: v1.place.collection.text.create,
      fields: textNames,
      then: ({ collectionId }: { collectionId: string }) => `/collections/${collectionId}`,
    },
  })
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Add a text')

export default function CreateText() {
  const { collection } = useLoaderData<typeof loader>()
  return (
    <Screen
      isNarrow
      title="Add a text"
      crumbs={[
        { label: 'Insights', to: '/collections' },
        { label: collection.name, to: `/collections/${collection.id}` },
      ]}
    >
      <CollectionTextForm saved={{ title: '', html: '', version: null }} collection={collection} />
    </Screen>
  )
}
