import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { AboutFields, aboutNames } from '#app/components/form/about-fields.tsx'
import { TagsField } from '#app/components/form/tags-field.tsx'
import { collectionIn } from './collection.server.ts'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  await requirePermission(args, 'collection.create', '/collections')
  return null
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, {
    create: {
      endpoint: v1.place.collection.create,
      data: collectionIn,
      then: ({ id }: { id: string }) => `/collections/${id}`,
    },
  })
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Create a collection')

export default function CreateCollection() {
  return (
    <Screen
      isNarrow
      title="Create a collection"
      crumbs={[{ label: 'Insights', to: '/collections' }]}
      sub="A collection gathers insights that answer one matter."
    >
      <EditForm
        thing="collection/new"
        title="A new collection"
        names={[...aboutNames, 'tags']}
        saved={{ name: '', notes: '', visibility: 'place' }}
        save={{ intent: 'create', label: 'Create', doing: 'Creating…' }}
        cancel={{ to: '/collections' }}
      >
        <AboutFields hint="What its insights have in common." />
        <TagsField />
      </EditForm>
    </Screen>
  )
}
