import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useFetcher, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { AddInsight } from '#app/components/insight/add-insight.tsx'
import { ArrangeList } from '#app/components/insight/arrange-list.tsx'
import { InsightCard } from '#app/components/insight/insight-card.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { arrangeIn, collectionOf, insightChoices } from '#app/server/collection.server.ts'
import { answeredIfSeen } from '#app/server/figures/answered.server.ts'
import { showInsight } from '#app/server/figures/figure.server.ts'
import { actKeeping } from '#app/server/keeping.server.ts'
import { readingOf } from '#app/server/reading.server.ts'
import { guard, may } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** So many insights are drawn; the rest are named. Each costs a drawing. */
const drawn = 12

/** A collection with its insights in their order: drawn, or as a list to be arranged. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { ctx } = args.context
  const mayUpdate = may(ctx, 'collection.update')
  const isArranging = mayUpdate && new URL(args.request.url).searchParams.has('arrange')
  const [reading, { collection, entries }] = await Promise.all([readingOf(args), collectionOf(args)])
  const choices = mayUpdate ? await insightChoices(args, entries) : []
  const insights = await Promise.all(
    entries.map(async (entry, i) => {
      const answered = i < drawn && !isArranging ? await answeredIfSeen(args, entry.id) : null
      return { ...entry, shown: answered && (await showInsight(ctx, answered, reading)) }
    }),
  )
  return { collection, insights, choices, mayUpdate, isArranging, mayCreate: may(ctx, 'insight.create') }
}

export async function action(args: ActionFunctionArgs) {
  const arrangement = await arrangeIn(args)
  if (arrangement) return arrangement
  const endpoint = v1.place.collection.insight.updateById
  return actKeeping(args, (given) => {
    const params = { insightId: given.insightId ?? '' }
    return {
      add: { endpoint, params, data: () => ({}) },
      remove: { endpoint, params, data: () => ({ removed: true }) },
    }
  })
}

export const meta = placeTitle<{ collection: { name: string } }>(({ collection }) => collection.name)

const done = { add: 'Added.', remove: 'Taken out. The insight itself stays.' }

export default function Collection() {
  const { collection, insights, choices, mayUpdate, isArranging, mayCreate } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const adding = useFetcher<typeof action>()
  useToast(outcome, done)
  useToast(adding.data, done)
  const url = `/collections/${collection.id}`
  const entryUrl = (id: string) => `${url}/insights/${id}`
  const add = (
    <AddInsight
      choices={choices}
      mayCreate={mayCreate}
      onPick={(insightId) => adding.submit({ intent: 'add', insightId }, { method: 'post' })}
    />
  )
  return (
    <div className="page-wide">
      <PageHead
        title={collection.name}
        crumbs={[{ label: 'Insights', to: '/collections' }]}
        badges={<VisibilityBadge visibility={collection.visibility} />}
        sub={collection.notes}
        actions={
          mayUpdate ? (
            <>
              {insights.length ? add : null}
              {insights.length ? (
                <Link className="button" to={isArranging ? url : `${url}?arrange`} preventScrollReset>
                  {isArranging ? 'Done' : 'Arrange'}
                </Link>
              ) : null}
              <Link className="button" to={`${url}/modify`}>
                Modify
              </Link>
            </>
          ) : undefined
        }
      />
      <FormError refused={refusalIn(outcome)} names={[]} />
      {insights.length === 0 ? (
        <EmptyState
          title="Nothing in this collection yet"
          text="Insights are put into it one by one, in the order they are to be read."
          action={mayUpdate ? add : undefined}
        />
      ) : isArranging ? (
        <ArrangeList
          label={`Insights of ${collection.name}`}
          items={insights.map(({ id, name, type }) => ({ id, name, type, to: entryUrl(id) }))}
        />
      ) : (
        <ul className="insight-grid">
          {insights.map((insight) => (
            <li key={insight.id} className="card">
              <InsightCard {...insight} to={entryUrl(insight.id)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
