import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { answeredIfSeen } from '#app/server/figures/answered.server.ts'
import { showInsight } from '#app/server/figures/figure.server.ts'
import { load } from '#app/server/load.server.ts'
import { readingOf } from '#app/server/reading.server.ts'
import { guard } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

interface Entry {
  id: string
  name: string
  notes: string
}

/** So many insights are drawn; the rest are named. Each costs a drawing. */
const drawn = 12

/** A collection with its insights in their order. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const options = { includes: [{ resource: 'insights', limit: 100 }] }
  const [reading, { collection }] = await Promise.all([
    readingOf(args),
    load(args, { collection: { endpoint: v1.place.collection.findById, options } }),
  ])
  const entries = (collection as { insights?: Entry[] }).insights ?? []
  const insights = await Promise.all(
    entries.map(async ({ id, name, notes }, i) => {
      const answered = i < drawn ? await answeredIfSeen(args, id) : null
      return { id, name, notes, shown: answered && (await showInsight(args.context.ctx, answered, reading)) }
    }),
  )
  return { collection, insights }
}

export const meta = placeTitle<{ collection: { name: string } }>(({ collection }) => collection.name)

export default function Collection() {
  const { collection, insights } = useLoaderData<typeof loader>()
  return (
    <div className="page-wide">
      <PageHead
        title={collection.name}
        crumbs={[{ label: 'Insights', to: '/collections' }]}
        badges={<VisibilityBadge visibility={collection.visibility} />}
        sub={collection.notes}
      />
      {insights.length ? (
        <ul className="insight-grid">
          {insights.map((insight) => (
            <li key={insight.id} className="card">
              <div className="card-head">
                <h2 className="card-title">
                  <Link to={`/insights/${insight.id}`}>{insight.name}</Link>
                </h2>
              </div>
              <div className="card-body">
                {insight.shown ? <ShownInsight shown={asCard(insight.shown)} /> : null}
                {insight.notes ? <p className="muted">{insight.notes}</p> : null}
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState title="Nothing in this collection yet" text="Insights are put into it one by one." />
      )}
    </div>
  )
}

/** On a card the picture is enough: its title stands above it, its table on its own screen. */
function asCard<
  Given extends NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['insights'][number]['shown']>,
>(shown: Given): Given {
  if (shown.kind === 'number') return { ...shown, number: { ...shown.number, label: '' } }
  return { ...shown, figure: { ...shown.figure, table: undefined, note: undefined, variant: 'plain' } }
}
