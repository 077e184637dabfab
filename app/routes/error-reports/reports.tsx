import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ActionError } from '#app/components/form/form-error.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { List } from '#app/components/list/list.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { lastChanged, newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Moment } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { errorReportDays } from '#functions/shapes/error-report.ts'
import { v1 } from '#functions/v1/index.ts'
import { StatusBadge, statusOptions } from './status.tsx'

const offer: ListOffer = {
  sorts: {
    newest,
    oldest: { label: 'Oldest first', field: 'createdAt', direction: 'asc' },
    changed: lastChanged,
  },
  filters: { status: { label: 'Status', options: statusOptions }, sourceId: { label: 'Source' } },
}

/** The sources that the list can be narrowed to. */
const sourceOptions = {
  orderings: [{ value: { field: 'name' }, direction: 'asc' }],
  limit: 200,
  visibility: 'public',
}

/** The error reports of hub readers. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { options, ...list } = await listRequest(args, offer)
  const { reports, sources, emails } = await load(args, {
    reports: { endpoint: v1.place.errorReport.find, options },
    sources: { endpoint: v1.place.source.find, options: sourceOptions },
    emails: v1.place.errorReport.emails,
  })
  return {
    list: { ...list, total: reports.meta.total },
    rows: reports.results,
    sources: sources.results.map(({ id, name }) => ({ value: id, label: name })),
    emails,
  }
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, (formValues) => ({
    emails: {
      endpoint: v1.place.errorReport.setEmails,
      data: () => ({ isOn: formValues.isOn === 'true' }),
    },
  }))
}

export const meta = placeTitle('Reported errors')

export default function ErrorReports() {
  const { list, rows, sources } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="Reported errors"
      crumbs={[{ label: 'Data', to: '/sources' }]}
      sub={`What readers of the hub reported as wrong. Reports are deleted after ${errorReportDays} days.`}
    >
      <Emails />
      <List
        {...{ offer, list }}
        noun="reports"
        visibleCount={rows.length}
        choices={{ sourceId: sources }}
        empty={{
          title: 'Nothing was reported',
          text: 'Every public source has a form on the hub by which its readers report errors. What they send is listed here.',
        }}
      >
        <ul className="list">
          {rows.map((report) => (
            <ListItem
              key={report.id}
              to={`/error-reports/${report.id}`}
              title={<bdi>{truncateText(report.text)}</bdi>}
              note={<bdi>{[report.sourceName, report.insightName].filter(Boolean).join(' · ')}</bdi>}
              meta={
                <>
                  {report.email === null ? null : <span>wants an answer</span>}
                  <Moment date={report.createdAt} />
                  <StatusBadge status={report.status} />
                </>
              }
            />
          ))}
        </ul>
      </List>
    </Screen>
  )
}

/** Whether the person gets emails about new reports, with a button to change it. */
function Emails() {
  const { emails } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, { emails: 'Saved.' })
  return (
    <Form method="post" className="row" preventScrollReset>
      <ActionError />
      <span className="muted">
        {emails.isOn
          ? 'You get an email about new reports, at most one an hour.'
          : 'You get no emails about new reports.'}
      </span>
      <input type="hidden" name="isOn" value={String(!emails.isOn)} />
      <SubmitButton intent="emails" className="button is-small" doing="Saving…">
        {emails.isOn ? 'Stop these emails' : 'Get emails'}
      </SubmitButton>
    </Form>
  )
}

/** The beginning of a text as one line. */
function truncateText(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const characters = [...line]
  return characters.length > 120 ? `${characters.slice(0, 119).join('')}…` : line
}
