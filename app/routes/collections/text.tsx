import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { DeleteButton } from '#app/components/form/edit-form.tsx'
import { RichText } from '#app/components/hub/rich-text.tsx'
import { CollectionTextForm, textNames } from './collection-text-form.tsx'
import { EntryNav } from './entry-nav.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { entryNeighbours, loadCollection } from './collection.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** A text of a collection, editable with permission. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const [{ collection, entries }, { text }] = await Promise.all([
    loadCollection(args),
    load(args, { text: v1.place.collection.text.findById }),
  ])
  const { id, title, html, version } = text
  return {
    text: { id, title, html, version },
    collection: { id: collection.id, name: collection.name },
    place: entryNeighbours(entries, `text.${id}`),
    mayUpdate: hasPermission(args.context.ctx, 'collection.update'),
  }
}

export function action(args: ActionFunctionArgs) {
  const url = `/collections/${args.params.collectionId ?? ''}`
  const { text } = v1.place.collection
  return handleFormKeepingValues(args, {
    save: { endpoint: text.updateById, fields: textNames },
    delete: { endpoint: text.deleteById, then: () => url },
  })
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ text: { title: string } }>(({ text }) => text.title)

export default function CollectionText() {
  const { text, collection, place, mayUpdate } = useLoaderData<typeof loader>()
  return (
    <Screen
      isNarrow
      title={text.title}
      crumbs={[
        { label: 'Insights', to: '/collections' },
        { label: collection.name, to: `/collections/${collection.id}` },
      ]}
      actions={
        mayUpdate ? (
          <DeleteButton
            name={text.title}
            text={`It is taken out of ${collection.name} and is in no other collection.`}
          />
        ) : undefined
      }
      done={{ save: 'Saved.' }}
    >
      <EntryNav {...place} name={collection.name} />
      {mayUpdate ? (
        <CollectionTextForm key={text.id} saved={text} collection={collection} />
      ) : (
        <RichText html={text.html} />
      )}
    </Screen>
  )
}
