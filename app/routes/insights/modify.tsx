import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { InsightTabs } from './insight-tabs.tsx'
import { Builder } from './builder/builder.tsx'
import { findPreview } from '#app/components/builder/preview.tsx'
import { DeleteButton } from '#app/components/form/edit-form.tsx'
import { formatUseCounts } from '#app/components/list/where-used.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { insightIn, modifyScreen, previewIn } from '#app/server/builder.server.ts'
import { handleFormKeepingValues, versionIn } from '#app/server/form-values.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** Edits a saved query. */
export const loader = modifyScreen

export async function action(args: ActionFunctionArgs) {
  const preview = await previewIn(args)
  if (preview) return preview
  return handleFormKeepingValues(args, {
    save: {
      endpoint: v1.insight.updateById,
      data: (form) => ({ ...insightIn(form), version: versionIn(form) }),
      then: ({ id }: { id: string }) => `/insights/${id}`,
    },
    delete: { endpoint: v1.insight.deleteById, then: () => '/collections/inventory?deleted=true' },
  })
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ insight: { name: string } }>(({ insight }) => `Modify ${insight.name}`)

export default function ModifyInsight() {
  const { insight, uses, start, language, dataTypes, placeId, origin, preview } =
    useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const formValues: Record<string, string> = outcome && 'formValues' in outcome ? outcome.formValues : {}
  const formPreview = findPreview(outcome)
  return (
    <div className="page-full builder-page">
      <PageHead
        title={`Modify ${insight.name}`}
        crumbs={[
          { label: 'Insights', to: '/collections' },
          { label: insight.name, to: `/insights/${insight.id}` },
        ]}
        badges={<VisibilityBadge visibility={insight.visibility} />}
        actions={
          <DeleteButton
            name={insight.name}
            text={`It leaves its collections, and pages that show it have a gap. ${uses.length ? `It is used (${formatUseCounts(uses)}). ` : ''}It can be brought back for 30 days.`}
          />
        }
      />
      <InsightTabs id={insight.id} mayModify />
      <Builder
        key={JSON.stringify(start)}
        {...{ start, formValues, language, dataTypes, placeId, origin }}
        preview={formPreview ?? preview}
        saved={insight}
        isNew={false}
        cancelUrl={`/insights/${insight.id}`}
      />
    </div>
  )
}
