import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { InsightTabs } from './insight-tabs.tsx'
import { AnswerFiles } from './answer-files.tsx'
import { AnswerTable } from '#app/components/insight/answer-table.tsx'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { WhereUsed } from '#app/components/list/where-used.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Day } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { insightScreen } from '#app/server/insight-screen.server.ts'
import { load } from '#app/server/load.server.ts'
import { recordOpened } from '#app/server/recent.server.ts'
import { loadUses } from '#app/server/uses.server.ts'
import { guard, isOrgAdmin, hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** A saved query with its result. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { ctx } = args.context
  const screen = await insightScreen(args)
  const { insight } = screen
  recordOpened(args, 'insight', insight.id)
  const [uses, { sources }] = await Promise.all([
    loadUses(args, 'insight', [insight.id]),
    load(args, {
      sources: {
        endpoint: v1.place.source.find,
        options: { filters: { id: insight.sourceId ?? '-' }, limit: 1 },
      },
    }),
  ])
  return {
    ...screen,
    dataType: (insight as { dataType?: { name?: string } | null }).dataType?.name ?? insight.dataTypeId,
    source: sources.results[0] ?? null,
    uses: uses[insight.id] ?? [],
    mayCopy: hasPermission(ctx, 'insight.create'),
    href: `/v1/places/${placeId}/insights/${insight.id}`,
    mayModify: hasPermission(ctx, 'insight.update') && isOrgAdmin(ctx.actor, placeId),
  }
}

export const meta = placeTitle<{ insight: { name: string } }>(({ insight }) => insight.name)

export default function Insight() {
  const { insight, why, answer, href, uses, mayModify, mayCopy } = useLoaderData<typeof loader>()
  return (
    <Screen
      title={insight.name}
      crumbs={[{ label: 'Insights', to: '/collections' }]}
      badges={<VisibilityBadge visibility={insight.visibility} />}
      sub={insight.notes}
      actions={
        <>
          {mayCopy ? (
            <Link className="button" to={`/duplicate/insights/${insight.id}`}>
              Duplicate
            </Link>
          ) : null}
          {answer ? <AnswerFiles href={href} /> : null}
        </>
      }
    >
      <InsightTabs id={insight.id} mayModify={mayModify} />
      {answer ? (
        <ShownInsight view={answer.shown} live={answer.live} />
      ) : (
        <p className="notice is-warning" role="status">
          This question has no answer now. {why}
        </p>
      )}
      {answer?.table ? <AnswerTable table={answer.table} name={insight.name} /> : null}
      <InsightFacts />
      <h2 className="section-title">Used in</h2>
      <WhereUsed lines={uses} nowhere="In no collection and on no page that you see." />
      <details className="disclosure">
        <summary>The question as JSON</summary>
        <pre className="code" tabIndex={0}>
          <code>{JSON.stringify(insight.query, null, 2)}</code>
        </pre>
      </details>
    </Screen>
  )
}

/** The facts of the insight. */
function InsightFacts() {
  const { insight, dataType, source } = useLoaderData<typeof loader>()
  return (
    <Facts
      facts={[
        [
          'Data type',
          <Link key="type" to={`/types/${insight.dataTypeId}`}>
            {dataType}
          </Link>,
        ],
        [
          'Source',
          source ? (
            <Link key="source" to={`/sources/${source.id}`}>
              {source.name}
            </Link>
          ) : (
            'All of this data type'
          ),
        ],
        ['Tags', insight.tags.join(', ')],
        ['Drawn as', String(insight.visualization.type)],
        ['Changed', <Day key="day" date={insight.updatedAt} />],
      ]}
    />
  )
}
