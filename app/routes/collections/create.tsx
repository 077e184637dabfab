import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData } from '@remix-run/react'
import { refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { CollectionFields } from './collection-fields.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { requireMay } from '#app/server/require-may.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { KeptForm } from '#app/components/form/kept-form.tsx'

export function loader(args: LoaderFunctionArgs) {
  requireMay(args, 'collection.create')
  return null
}

export function action(args: ActionFunctionArgs) {
  return actKeeping(args, ({ name, notes, visibility }) => ({
    create: {
      endpoint: v1.place.collection.create,
      data: () => ({ name, notes, visibility }),
      then: ({ id }: { id: string }) => `/collections/${id}`,
    },
  }))
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/kept/keep-typed.ts'

export const meta = placeTitle('Create a collection')

export default function CreateCollection() {
  const outcome = useActionData<typeof action>()
  return (
    <div className="page-narrow">
      <PageHead
        title="Create a collection"
        crumbs={[{ label: 'Insights', to: '/collections' }]}
        sub="A collection gathers insights that answer one matter."
      />
      <KeptForm thing="collection/new" title="A new collection" className="form">
        <CollectionFields
          saved={{ name: '', notes: '', visibility: 'place' }}
          given={outcome && !outcome.ok ? outcome.given : undefined}
          refused={refusalIn(outcome)}
        />
        <div className="form-actions">
          <SubmitButton intent="create" doing="Creating…">
            Create
          </SubmitButton>
          <Link className="button" to="/collections">
            Cancel
          </Link>
        </div>
      </KeptForm>
    </div>
  )
}
