import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { CollectionFields } from './collection-fields.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { actKeeping, versionIn } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'
import { requireMay } from '#app/server/require-may.server.ts'
import { may } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { KeptForm } from '#app/components/form/kept-form.tsx'

export async function loader(args: LoaderFunctionArgs) {
  requireMay(args, 'collection.update')
  const { collection } = await load(args, { collection: v1.place.collection.findById })
  return { collection, mayDelete: may(args.context.ctx, 'collection.delete') }
}

export function action(args: ActionFunctionArgs) {
  return actKeeping(args, ({ name, notes, visibility }) => ({
    save: {
      endpoint: v1.place.collection.updateById,
      data: (form) => ({ name, notes, visibility, version: versionIn(form) }),
      then: ({ id }: { id: string }) => `/collections/${id}`,
    },
    delete: { endpoint: v1.place.collection.deleteById, then: () => '/collections?deleted=true' },
  }))
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/kept/keep-typed.ts'

export const meta = placeTitle<{ collection: { name: string } }>(
  ({ collection }) => `Modify ${collection.name}`,
)

export default function ModifyCollection() {
  const { collection, mayDelete } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const url = `/collections/${collection.id}`
  return (
    <div className="page-narrow">
      <PageHead
        title={`Modify ${collection.name}`}
        crumbs={[
          { label: 'Insights', to: '/collections' },
          { label: collection.name, to: url },
        ]}
        actions={
          mayDelete ? (
            <Form method="post">
              <ConfirmButton
                intent="delete"
                question={`Delete ${collection.name}?`}
                text="Its insights stay. The collection can be brought back for 30 days."
                answer="Delete"
              >
                Delete
              </ConfirmButton>
            </Form>
          ) : undefined
        }
      />
      <KeptForm
        thing={`collection/${collection.id}`}
        title={collection.name}
        version={collection.version}
        className="form"
      >
        <input type="hidden" name="version" value={collection.version} />
        <CollectionFields
          saved={collection}
          given={outcome && !outcome.ok ? outcome.given : undefined}
          refused={refusalIn(outcome)}
        />
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
