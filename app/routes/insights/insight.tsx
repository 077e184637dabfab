import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { DataTable } from '#app/components/hub/data-table.tsx'
import { AnswerFiles } from '#app/components/insight/answer-files.tsx'
import { ShownInsight, type ShownInsightProps } from '#app/components/insight/shown-insight.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Day } from '#app/components/list/time.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { answeredOrWhy } from '#app/server/figures/answered.server.ts'
import { showInsight } from '#app/server/figures/figure.server.ts'
import { load } from '#app/server/load.server.ts'
import { readingOf } from '#app/server/reading.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** A saved question with its answer. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const insightId = args.params.insightId ?? ''
  const options = { includes: [{ resource: 'dataType', attributes: ['id', 'name'] }] }
  const [reading, { insight }, answer] = await Promise.all([
    readingOf(args),
    load(args, { insight: { endpoint: v1.place.insight.findById, options } }),
    answeredOrWhy(args, insightId),
  ])
  const { sources } = await load(args, {
    sources: {
      endpoint: v1.place.source.find,
      options: { filters: { id: insight.sourceId ?? '-' }, limit: 1 },
    },
  })
  const about = {
    insight,
    dataType: (insight as { dataType?: { name?: string } | null }).dataType?.name ?? insight.dataTypeId,
    source: sources.results[0] ?? null,
    href: `/v1/places/${placeId}/insights/${insightId}`,
  }
  if (typeof answer === 'string') return { ...about, why: answer, answer: null }
  const { rows, output, visualization, timeZone = reading.timeZone } = answer
  const { locale } = reading
  return {
    ...about,
    why: null,
    answer: {
      shown: await showInsight(args.context.ctx, answer, reading),
      live: { rows, output, visualization, title: insight.name, locale, timeZone },
    },
  }
}

export const meta = placeTitle<{ insight: { name: string } }>(({ insight }) => insight.name)

export default function Insight() {
  const { insight, dataType, source, why, answer, href } = useLoaderData<typeof loader>()
  const table = answer?.shown.kind === 'figure' ? answer.shown.figure.table : undefined
  return (
    <div className="page-wide">
      <PageHead
        title={insight.name}
        crumbs={[{ label: 'Insights', to: '/collections' }]}
        badges={<VisibilityBadge visibility={insight.visibility} />}
        sub={insight.notes}
        actions={answer ? <AnswerFiles href={href} /> : undefined}
      />
      {answer ? (
        <ShownInsight shown={withoutTable(answer.shown)} live={answer.live} />
      ) : (
        <p className="notice is-warning" role="status">
          This question has no answer now. {why}
        </p>
      )}
      {table ? (
        <section className="stack is-fitting" aria-labelledby="answer">
          <h2 id="answer">Answer</h2>
          <DataTable {...table} label={`Answer of ${insight.name}`} />
        </section>
      ) : null}
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
          ['Drawn as', String(insight.visualization.type)],
          ['Changed', <Day key="day" date={insight.updatedAt} />],
        ]}
      />
      <details className="disclosure">
        <summary>The question as JSON</summary>
        <pre className="code" tabIndex={0}>
          <code>{JSON.stringify(insight.query, null, 2)}</code>
        </pre>
      </details>
    </div>
  )
}

/** The table has a section of its own here, and the notes stand under the title. */
function withoutTable<Given extends ShownInsightProps['shown']>(shown: Given): Given {
  return shown.kind === 'figure'
    ? { ...shown, figure: { ...shown.figure, table: undefined, note: undefined, variant: 'plain' } }
    : shown
}
