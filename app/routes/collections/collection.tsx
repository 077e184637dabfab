import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useFetcher, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { AddInsight } from './add-insight.tsx'
import { LazyReorderList } from '#app/components/insight/lazy-reorder-list.tsx'
import { InsightCard } from './insight-card.tsx'
import { TextCard } from './text-card.tsx'
import { useOrder } from '#app/components/insight/use-order.ts'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { arrangeIn, loadCollection, insightChoices, parseEntryKey } from './collection.server.ts'
import { loadAnswerIfVisible } from '#app/server/figures/load-answer.server.ts'
import { showInsight } from '#app/server/figures/figure.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { recordOpened } from '#app/server/recent.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** The number of rendered insights, as each is costly; others are only named. */
const maxRendered = 12
/** The number of entries shown, and added by "more". */
const shownAtOnce = 100

/** A collection with its insights and texts in order: rendered, or as a sortable list. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { ctx } = args.context
  const mayUpdate = hasPermission(ctx, 'collection.update')
  const { searchParams } = new URL(args.request.url)
  const isArranging = mayUpdate && searchParams.has('arrange')
  const [reading, { collection, entries }] = await Promise.all([
    loadReaderSettings(args),
    loadCollection(args),
  ])
  recordOpened(args, 'collection', collection.id)
  const choices = mayUpdate ? await insightChoices(args, entries) : []
  const most = isArranging ? entries.length : Math.max(Number(searchParams.get('shown')) || 0, shownAtOnce)
  const visibleEntries = entries.slice(0, most)
  const pictured = new Set(
    visibleEntries.filter(({ kind }) => kind === 'insight').slice(0, isArranging ? 0 : maxRendered),
  )
  const items = await Promise.all(
    visibleEntries.map(async (entry) => {
      if (entry.kind === 'text') return { ...entry, html: isArranging ? '' : entry.html }
      const answered = pictured.has(entry) ? await loadAnswerIfVisible(args, entry.id) : null
      return { ...entry, view: answered && (await showInsight(ctx, answered, reading)) }
    }),
  )
  return {
    ...{ collection, items, choices, mayUpdate, isArranging },
    total: entries.length,
    more: entries.length > most ? most + shownAtOnce : null,
    mayCreate: hasPermission(ctx, 'insight.create'),
    mayCopy: hasPermission(ctx, 'collection.create'),
  }
}

export async function action(args: ActionFunctionArgs) {
  const arrangement = await arrangeIn(args)
  if (arrangement) return arrangement
  const { insight, text } = v1.place.collection
  return handleFormKeepingValues(args, ({ item = '', insightId = '' }) => {
    const { id } = parseEntryKey(item)
    return {
      add: { endpoint: insight.updateById, params: { insightId }, data: () => ({}) },
      remove: { endpoint: insight.updateById, params: { insightId: id }, data: () => ({ removed: true }) },
      delete: { endpoint: text.deleteById, params: { textId: id }, data: () => undefined },
    }
  })
}

export const meta = placeTitle<{ collection: { name: string } }>(({ collection }) => collection.name)

const done = { add: 'Added.', remove: 'Taken out. The insight itself stays.', delete: 'Deleted.' }

export default function Collection() {
  const { collection, items, choices, mayUpdate, isArranging, mayCreate, total, more } =
    useLoaderData<typeof loader>()
  const adding = useFetcher<typeof action>()
  const order = useOrder()
  useToast(adding.data, done)
  const url = `/collections/${collection.id}`
  const add = (
    <>
      <AddInsight
        choices={choices}
        mayCreate={mayCreate}
        onPick={(insightId) => adding.submit({ intent: 'add', insightId }, { method: 'post' })}
      />
      <Link className="button" to={`${url}/text/create`}>
        Add text
      </Link>
    </>
  )
  return (
    <Screen
      title={collection.name}
      crumbs={[{ label: 'Insights', to: '/collections' }]}
      badges={<VisibilityBadge visibility={collection.visibility} />}
      sub={collection.notes}
      actions={mayUpdate ? <CollectionActions add={total ? add : null} /> : undefined}
      done={done}
    >
      <ActionError />
      {total === 0 ? (
        <EmptyState
          title="Nothing in this collection yet"
          text="Insights are put into it one by one, with texts between them, in the order they are to be read."
          action={mayUpdate ? <div className="row">{add}</div> : undefined}
        />
      ) : isArranging ? (
        <LazyReorderList<SortableEntry>
          label={`What is in ${collection.name}`}
          order={order}
          items={items.map(({ key, kind, name, to, ...item }) => ({
            ...{ id: key, kind, name, to },
            type: 'type' in item ? item.type : 'text',
          }))}
          actions={renderRemoveButton}
        />
      ) : (
        <ul className="insight-grid">
          {items.map((item) => (
            <li key={item.key} className="card">
              {item.kind === 'text' ? <TextCard {...item} /> : <InsightCard {...item} />}
            </li>
          ))}
        </ul>
      )}
      {more === null ? null : (
        <nav className="pager" aria-label={`What is in ${collection.name}`}>
          <p>
            {items.length} of {total}
          </p>
          <Link className="button is-small" to={`${url}?shown=${more}`} preventScrollReset>
            Show more
          </Link>
        </nav>
      )}
    </Screen>
  )
}

/** The actions of a collection; `add`: what can be added. */
function CollectionActions({ add }: { add: ReactNode }) {
  const { collection, total, isArranging, mayCopy } = useLoaderData<typeof loader>()
  const url = `/collections/${collection.id}`
  return (
    <>
      {add}
      {total > 1 || isArranging ? (
        <Link className="button" to={isArranging ? url : `${url}?arrange`} preventScrollReset>
          {isArranging ? 'Done' : 'Arrange'}
        </Link>
      ) : null}
      {mayCopy ? (
        <Link className="button" to={`/duplicate/collections/${collection.id}`}>
          Duplicate
        </Link>
      ) : null}
      <Link className="button" to={`${url}/modify`}>
        Modify
      </Link>
    </>
  )
}

/** An entry in the sortable list. */
interface SortableEntry {
  id: string
  kind: 'insight' | 'text'
  name: string
  to: string
  type: string
}

/** Removing an entry: a text belongs to only one collection, so it is deleted. */
function renderRemoveButton({ kind, name }: SortableEntry) {
  return kind === 'text' ? (
    <ConfirmButton
      intent="delete"
      className="button is-small"
      question={`Delete ${name}?`}
      text="It is in no other collection."
      answer="Delete"
    >
      Delete<span className="sr-only"> {name}</span>
    </ConfirmButton>
  ) : (
    <button className="button is-small" name="intent" value="remove">
      Remove<span className="sr-only"> {name}</span>
    </button>
  )
}
