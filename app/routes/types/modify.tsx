import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { FieldsForm } from './fields-form.tsx'
import { UsedBy } from './used-by.tsx'
import { DeleteButton, EditForm } from '#app/components/form/edit-form.tsx'
import { PendingNote } from './pending-note.tsx'
import { TypeSettings, typeNames } from './type-settings.tsx'
import { TypeTabs } from '#app/components/schema/type-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues, textOrNull, versionIn } from '#app/server/form-values.server.ts'
import { requirePermission, toReadingOfOthers } from '#app/server/require-permission.server.ts'
import {
  categoriesInUse,
  documentIn,
  documentOfType,
  typeRights,
  typeUses,
  typeWithSources,
} from '#app/server/type-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.dataTypeId ?? ''
  const [{ dataType, sources }, uses, categories] = await Promise.all([
    typeWithSources(args),
    typeUses(args, id),
    categoriesInUse(args),
  ])
  const rights = typeRights(args, dataType)
  if (!rights.isOwn && !rights.mayModify) throw toReadingOfOthers(`/types/${id}`)
  await requirePermission(args, 'dataType.update', `/types/${id}`)
  return {
    rights,
    uses,
    categories,
    sources: sources.map((source) => ({ id: source.id, name: source.name })),
    dataType: { id, name: dataType.name, version: dataType.version },
    pending: dataType.pendingChange ?? null,
    settings: { name: dataType.name, category: dataType.category ?? '', notes: dataType.notes },
    document: documentOfType(dataType),
  }
}

/** A check also returns the submitted document: without scripts the page is rendered again from it. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const schema = (formValues: FormData) => ({
    ...documentIn(formValues),
    otherwise: formValues.get('otherwise') === 'null' ? 'null' : 'refuse',
    version: versionIn(formValues),
  })
  const outcome = await handleFormKeepingValues(args, () => ({
    settings: {
      endpoint: v1.dataType.updateById,
      data: (formValues) => ({
        name: formValues.get('name'),
        category: textOrNull(formValues, 'category'),
        notes: formValues.get('notes') ?? '',
        version: versionIn(formValues),
      }),
    },
    check: { endpoint: v1.dataType.schema, options: { dryRun: true }, data: schema },
    save: { endpoint: v1.dataType.schema, data: schema, then: () => `/types/${args.params.dataTypeId}` },
    delete: { endpoint: v1.dataType.deleteById, then: () => '/types/catalog?deleted=true' },
  }))
  const document = form.get('document')
  return {
    ...outcome,
    asked: String(form.get('intent')),
    document: typeof document === 'string' ? document : null,
  }
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ dataType: { name: string } }>(({ dataType }) => `Modify ${dataType.name}`)

const done = { settings: 'Saved.' }

export default function ModifyType() {
  const { rights, uses, categories, sources, dataType, pending, settings, document } =
    useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const isOfFields = outcome?.asked === 'check' || outcome?.asked === 'save'
  return (
    <Screen
      title={`Modify ${dataType.name}`}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: 'Data types', to: '/types/catalog' },
        { label: dataType.name, to: `/types/${dataType.id}` },
      ]}
      done={done}
    >
      <TypeTabs id={dataType.id} {...rights} />
      <PendingNote change={pending} />
      <section className="stack" aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <EditForm
          thing={`type/${dataType.id} settings`}
          title={`${dataType.name}: settings`}
          version={dataType.version}
          className="form is-wide"
          preventScrollReset
          asks={false}
          names={typeNames}
          saved={settings}
          save={{ intent: 'settings', label: 'Save settings', doing: 'Saving…' }}
          intents={['delete']}
        >
          <TypeSettings categories={categories} />
        </EditForm>
      </section>
      <FieldsForm
        document={document}
        version={dataType.version}
        sentText={isOfFields ? (outcome.document ?? null) : null}
        report={outcome?.ok && outcome.intent === 'check' ? outcome.result : undefined}
        cancelUrl={`/types/${dataType.id}`}
        of={dataType}
      />
      <DeleteSection {...{ dataType, sources, uses }} />
    </Screen>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

/** The uses of a data type, and the button to delete it if it has no sources. */
function DeleteSection({ dataType, sources, uses }: Pick<Screen, 'dataType' | 'sources' | 'uses'>) {
  return (
    <section className="stack" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <UsedBy dataTypeId={dataType.id} sources={sources} uses={uses} />
      {sources.length ? (
        <p className="muted">A data type with sources stays. Delete or move its sources first.</p>
      ) : (
        <DeleteButton
          name={dataType.name}
          className="button is-danger"
          text="Insights and observers of it have nothing to ask any more. Sources of other organizations that use it continue on a copy of their own. It can be brought back for 30 days."
        >
          Delete the data type
        </DeleteButton>
      )}
      <p>
        <Link to={`/types/create?from=${dataType.id}`}>Make a copy instead</Link>
      </p>
    </section>
  )
}
