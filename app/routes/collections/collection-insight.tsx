import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { TextArea } from '#app/components/form/field.tsx'
import { AnswerTable } from '#app/components/insight/answer-table.tsx'
import { EntryNav } from './entry-nav.tsx'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { entryNeighbours, loadCollection } from './collection.server.ts'
import { insightScreen } from '#app/server/insight-screen.server.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { toErrorResponse } from '#app/server/load.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { Failure } from '#functions/errors.ts'
import { v1 } from '#functions/v1/index.ts'

/** An insight within a collection: its note there, and its neighbours. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const [{ collection, entries }, screen] = await Promise.all([loadCollection(args), insightScreen(args)])
  const entry = entries.find(({ kind, id }) => kind === 'insight' && id === args.params.insightId)
  if (entry?.kind !== 'insight') throw toErrorResponse(new Failure('notFound'), args)
  return {
    ...screen,
    collection,
    notes: entry.notes,
    place: entryNeighbours(entries, entry.key),
    mayUpdate: hasPermission(args.context.ctx, 'collection.update'),
  }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, ({ notes }) => ({
    save: { endpoint: v1.place.collection.insight.updateById, data: () => ({ notes }) },
  }))
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ insight: { name: string } }>(({ insight }) => insight.name)

export default function Collected() {
  const screen = useLoaderData<typeof loader>()
  const { insight, collection, answer, why, notes, place, mayUpdate } = screen
  const url = `/collections/${collection.id}`
  return (
    <Screen
      title={insight.name}
      crumbs={[
        { label: 'Insights', to: '/collections' },
        { label: collection.name, to: url },
      ]}
      badges={<VisibilityBadge visibility={insight.visibility} />}
      sub={insight.notes}
      actions={
        <Link className="button" to={`/insights/${insight.id}`}>
          Open the insight
        </Link>
      }
      done={{ save: 'Saved.' }}
    >
      <EntryNav {...place} name={collection.name} />
      {notes && !mayUpdate ? <p className="prose">{notes}</p> : null}
      {answer ? (
        <ShownInsight view={answer.shown} live={answer.live} key={insight.id} />
      ) : (
        <p className="notice is-warning" role="status">
          This question has no answer now. {why}
        </p>
      )}
      {answer?.table ? <AnswerTable table={answer.table} name={insight.name} /> : null}
      {mayUpdate ? (
        <EditForm
          thing={`collected/${collection.id} ${insight.id}`}
          title={`${insight.name} in ${collection.name}`}
          isRepeated
          key={`notes-${insight.id}`}
          names={['notes']}
          saved={{ notes }}
          save={{ intent: 'save', label: 'Save', doing: 'Saving…', className: 'button' }}
        >
          <TextArea label="About it, in this collection" name="notes" rows={3} maxLength={10_000} />
        </EditForm>
      ) : null}
    </Screen>
  )
}
