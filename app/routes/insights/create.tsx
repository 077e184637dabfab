import type { ActionFunctionArgs, SerializeFrom } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { Builder } from './builder/builder.tsx'
import { findPreview } from '#app/components/builder/preview.tsx'
import { DataChoice, TemplateChoice } from './builder/start-choice.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { createScreen, insightIn, previewIn } from '#app/server/builder.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** Creates a query: choice of data and template, then the builder. */
export const loader = createScreen

export async function action(args: ActionFunctionArgs) {
  const preview = await previewIn(args)
  if (preview) return preview
  return handleFormKeepingValues(args, (formValues) => ({
    save: {
      endpoint: v1.insight.create,
      data: (form) => ({
        ...insightIn(form),
        placeId: args.context.ctx.placeId,
        dataTypeId: formValues.dataTypeId,
        sourceId: formValues.sourceId || null,
      }),
      then: ({ id }: { id: string }) => `/insights/${id}`,
    },
  }))
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Create an insight')

const crumbs = [{ label: 'Insights', to: '/collections' }]

export default function CreateInsight() {
  const screen = useLoaderData<typeof loader>()
  const { search } = useLocation()
  if (screen.step === 'build') return <Build {...screen} />
  return (
    <Screen
      title="Create an insight"
      crumbs={crumbs}
      sub="A question to your data, with the chart that answers it."
      actions={<ReferenceLink />}
    >
      {screen.step === 'data' ? (
        <DataChoice dataTypes={screen.dataTypes} />
      ) : (
        <TemplateChoice templates={screen.templates} search={search} />
      )}
    </Screen>
  )
}

type Screen = Extract<SerializeFrom<typeof loader>, { step: 'build' }>

function Build(screen: Screen) {
  const outcome = useActionData<typeof action>()
  const formValues: Record<string, string> = outcome && 'formValues' in outcome ? outcome.formValues : {}
  const formPreview = findPreview(outcome)
  const { start, language, dataTypes, placeId, origin, name } = screen
  return (
    <div className="page-full builder-page">
      <PageHead title="Create an insight" crumbs={crumbs} actions={<ReferenceLink />} />
      <Builder
        key={JSON.stringify(start)}
        {...{ start, formValues, language, dataTypes, placeId, origin }}
        preview={formPreview ?? screen.preview}
        saved={{ name, notes: '', visibility: 'place' }}
        isNew
        cancelUrl="/collections"
      />
    </div>
  )
}

function ReferenceLink() {
  return (
    <Link className="button is-quiet" to="/insights/reference">
      Functions
    </Link>
  )
}
