import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { refusalIn } from '#app/components/form/issues.ts'
import { SourceForm } from '#app/components/form/source-form.tsx'
import { DataTable } from '#app/components/hub/data-table.tsx'
import { ShownInsight } from '#app/components/insight/shown-insight.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Pager } from '#app/components/list/pager.tsx'
import { Count, Day } from '#app/components/list/time.tsx'
import { TakeAway } from '#app/components/list/take-away.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { PageHead } from '#app/components/shell/page-head.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { actKeeping, textOrNull, versionIn } from '#app/server/keeping.server.ts'
import { sourceScreen } from '#app/server/source-screen.server.ts'
import { v1 } from '#functions/v1/index.ts'

export function loader(args: LoaderFunctionArgs) {
  return sourceScreen(args)
}

export function action(args: ActionFunctionArgs) {
  const endpoint = v1.source.updateById
  return actKeeping(args, () => ({
    save: {
      endpoint,
      data: (form) => ({
        name: form.get('name'),
        notes: form.get('notes'),
        visibility: form.get('visibility'),
        attribution: textOrNull(form, 'attribution'),
        attributionUrl: textOrNull(form, 'attributionUrl'),
        licence: textOrNull(form, 'licence'),
        version: versionIn(form),
      }),
    },
    publish: { endpoint, data: (form) => ({ visibility: 'public', version: versionIn(form) }) },
    unpublish: { endpoint, data: (form) => ({ visibility: 'place', version: versionIn(form) }) },
  }))
}

export const meta = placeTitle<{ source: { name: string } }>(({ source }) => source.name)

const done = {
  save: 'Saved.',
  publish: 'Published. The hub shows it within seconds.',
  unpublish: 'No longer public. The hub hides it within seconds.',
}

export default function Source() {
  const screen = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const { source, table, total, query } = screen
  useToast(outcome, done)
  return (
    <div className="page-wide">
      <PageHead
        title={source.name}
        crumbs={[{ label: 'Data', to: '/sources' }]}
        badges={<VisibilityBadge visibility={source.visibility} />}
        sub={source.notes}
        actions={
          <>
            {screen.hubUrl ? (
              <a className="button" href={screen.hubUrl}>
                Open on the hub
              </a>
            ) : null}
            {screen.mayUpdate ? (
              <a className="button" href="#settings">
                Edit
              </a>
            ) : null}
          </>
        }
      />
      <Facts
        facts={[
          [
            'Data type',
            <Link key="type" to={`/types/${screen.dataType.id}`}>
              {screen.dataType.name}
            </Link>,
          ],
          ['Records', <Count key="count" n={source.count} />],
          ['Last data', <Day key="day" date={source.dataUpdatedAt} never="none yet" />],
          ['Organization', screen.place],
          [
            'From',
            source.attributionUrl ? (
              <a key="from" href={source.attributionUrl}>
                {source.attribution ?? source.attributionUrl}
              </a>
            ) : (
              source.attribution
            ),
          ],
          ['Licence', source.licence],
        ]}
      />
      {screen.figure ? <ShownInsight shown={screen.figure} /> : null}
      {screen.insights.length ? (
        <p className="muted">
          Insights:{' '}
          {screen.insights.map(({ id, name }, i) => (
            <span key={id}>
              {i ? ', ' : ''}
              <Link to={`/insights/${id}`}>{name}</Link>
            </span>
          ))}
        </p>
      ) : null}
      <section className="stack" aria-labelledby="records">
        <h2 id="records">Records</h2>
        {table.rows.length ? (
          <>
            <DataTable {...table} label={`Records of ${source.name}`} />
            <Pager query={query} shown={table.rows.length} total={total} noun="records" />
          </>
        ) : (
          <EmptyState
            level={3}
            title="No records yet"
            text="They come with an import, or one by one through the API."
          />
        )}
      </section>
      <TakeAway
        path={`/v1/sources/${source.id}`}
        hasGeometry={screen.hasGeometry}
        api={screen.api}
        isPublic={source.visibility === 'public'}
      />
      {screen.mayUpdate ? (
        <SourceForm
          source={source}
          isHub={screen.isHub}
          refused={refusalIn(outcome)}
          given={outcome && !outcome.ok ? outcome.given : undefined}
        />
      ) : null}
    </div>
  )
}
