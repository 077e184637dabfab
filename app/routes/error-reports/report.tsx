import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { DeleteButton, EditForm } from '#app/components/form/edit-form.tsx'
import { SelectField, TextArea } from '#app/components/form/field.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues, versionIn } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { maxReportLength } from '#functions/shapes/error-report.ts'
import { v1 } from '#functions/v1/index.ts'
import { statusOptions } from './status.tsx'

/** A reader's report, and its status. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  return load(args, { report: v1.place.errorReport.findById })
}

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, (formValues) => ({
    save: {
      endpoint: v1.place.errorReport.updateById,
      data: (form) => ({ status: formValues.status, note: formValues.note, version: versionIn(form) }),
    },
    delete: { endpoint: v1.place.errorReport.deleteById, then: () => '/error-reports' },
  }))
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ report: { sourceName: string } }>(
  ({ report }) => `Reported error: ${report.sourceName}`,
)

/** The reported insight by name; an unknown id is only shown as text. */
function FigureName({ id, name }: { id: string; name: string | null }) {
  if (name === null) return <bdi>{id}, which is not there (any more)</bdi>
  return (
    <Link to={`/insights/${encodeURIComponent(id)}`} dir="auto">
      {name}
    </Link>
  )
}

export default function ErrorReport() {
  const { report } = useLoaderData<typeof loader>()
  const source = `/sources/${encodeURIComponent(report.sourceId)}`
  return (
    <Screen
      isStack
      title="Reported error"
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: 'Reported errors', to: '/error-reports' },
      ]}
      actions={<DeleteButton name="this report" text="What the reader wrote is gone for good." />}
      done={{ save: 'Saved.' }}
    >
      <section className="stack" aria-labelledby="words">
        <h2 className="section-title" id="words">
          What the reader wrote
        </h2>
        <p className="notice">Written by a stranger and not checked: addresses in it are no links.</p>
        <blockquote className="card card-body foreign-words" dir="auto">
          {report.text}
        </blockquote>
        <Facts
          facts={[
            [
              'Source',
              <Link key="source" to={source} dir="auto">
                {report.sourceName}
              </Link>,
            ],
            ['Record', report.datumId === null ? null : <bdi>{report.datumId}</bdi>],
            [
              'Figure',
              report.insightId === null ? null : (
                <FigureName id={report.insightId} name={report.insightName} />
              ),
            ],
            ['Sent', <Moment key="sent" date={report.createdAt} />],
            ['Language of the page', report.locale],
            [
              'Wants an answer at',
              report.email === null ? (
                'Nowhere: no address was given'
              ) : (
                <a href={`mailto:${encodeURIComponent(report.email)}`}>{report.email}</a>
              ),
            ],
          ]}
        />
      </section>
      <EditForm
        thing={`errorReport/${report.id}`}
        title="Reported error"
        version={report.version}
        names={['status', 'note']}
        saved={{ status: report.status, note: report.note }}
        save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
        intents={['delete']}
        cancel={{ to: '/error-reports', label: 'To all reports' }}
      >
        <SelectField label="Status" name="status" options={statusOptions} />
        <TextArea
          label="Note"
          name="note"
          rows={5}
          maxLength={maxReportLength}
          hint="For the people of your organization; readers do not see it."
        />
      </EditForm>
    </Screen>
  )
}
