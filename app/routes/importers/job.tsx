import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { changeType, readAsMissing } from './change-type.server.ts'
import { Counts } from './counts.tsx'
import { ChangeType, Diff } from './diff.tsx'
import { JobBadge } from '#app/components/importer/job-badge.tsx'
import { JobLog } from './job-log.tsx'
import {
  describeOpenJob,
  formatDuration,
  isOpen,
  kindNames,
  describeProgress,
  describeJobStarter,
  type ShownJob,
} from '#app/components/importer/job-words.ts'
import { ProgressLine } from '#app/components/importer/progress-line.tsx'
import { RejectsTable, titleOfRejects } from './rejects-table.tsx'
import { useJob } from './use-job.ts'
import { Facts } from '#app/components/list/facts.tsx'
import { Count, Moment } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { runActs } from './importer.server.ts'
import { jobScreen } from './job.server.ts'
import { handleForm } from '#app/server/load.server.ts'
import { v1 } from '#functions/v1/index.ts'

export const loader = jobScreen

export async function action(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  if (form.get('intent') === 'changeType') return changeType(args)
  if (form.get('intent') === 'readAsMissing') return readAsMissing(args)
  const { discard, job } = v1.source.importer
  const { begin, acts } = runActs(args)
  return handleForm(args, {
    ...acts,
    discard: { endpoint: discard, data: () => undefined, then: () => '/sources/create' },
    commit: { endpoint: job.commit, ...begin },
    rollback: { endpoint: job.rollback, ...begin },
  })
}

export const meta = placeTitle<{ importer: { name: string }; job: { kind: 'run' | 'dryRun' | 'rollback' } }>(
  ({ importer, job }) => `${kindNames[job.kind]} of ${importer.name}`,
)

export default function Job() {
  const screen = useLoaderData<typeof loader>()
  const { source, importer, rejects, logs, preview, names, typeOffer, mayChange } = screen
  const at = `/sources/${source.id}/importers/${importer.id}`
  const path = `/v1${at}/jobs/${screen.job.id}`
  const job = useJob(screen.job, path)
  const isRunning = isOpen(job)
  const total = rejects.meta.total ?? rejects.results.length
  return (
    <Screen
      isStack
      title={`${kindNames[job.kind]} of ${importer.name}`}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: source.name, to: `/sources/${source.id}` },
        { label: importer.name, to: at },
      ]}
      badges={<JobBadge job={job} />}
      actions={screen.mayRun ? <JobActions {...{ job, source }} /> : null}
      done={{
        stop: 'It stops as soon as it can.',
        changeType: 'The field is changed.',
        readAsMissing: 'It is read as missing.',
      }}
    >
      <ActionError />
      {isRunning ? <ProgressLine label={`${describeOpenJob(job)}.`} text={describeProgress(job)} /> : null}
      {job.error ? (
        <p className="notice is-danger" role="alert">
          {job.error}
        </p>
      ) : null}
      <Counts job={job} />
      {job.kind === 'dryRun' && job.status === 'succeeded' ? <AfterDryRun {...{ job, at }} /> : null}
      {isFinishedRun(job) ? <AfterRun {...{ job, at }} /> : null}
      {job.kind === 'rollback' && job.undoes ? (
        <p>
          It takes back <Link to={`${at}/${job.undoes}`}>an import</Link>.
        </p>
      ) : null}
      {hasFailed(job) ? <AfterFailure {...{ job, at }} /> : null}
      {total ? <RefusedRows {...{ total, at, path }} /> : null}
      {preview && job.status === 'succeeded' ? <Diff {...{ preview, names, typeOffer, mayChange }} /> : null}
      <Facts
        facts={[
          ['Began', <Moment key="began" date={job.startedAt ?? job.queuedAt} />],
          ['Ended', job.finishedAt ? <Moment key="ended" date={job.finishedAt} /> : null],
          [isRunning ? 'Goes on since' : 'Took', formatDuration(job, new Date(screen.now))],
          [
            'Started by',
            describeJobStarter({ ...screen, trigger: job.trigger, schedule: importer.schedule }),
          ],
        ]}
      />
      <JobLog
        key={job.id}
        lines={logs.results}
        path={`${path}/logs`}
        isOpen={job.status === 'failed'}
        isGoingOn={isRunning}
      />
    </Screen>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

const isFinishedRun = (job: ShownJob) => job.kind === 'run' && job.status === 'succeeded'

const hasFailed = ({ kind, status }: ShownJob) =>
  kind !== 'rollback' && (status === 'failed' || status === 'timedOut' || status === 'stopped')

/** Whether it created, changed or removed records. */
const hasRecords = ({ counts }: ShownJob) => counts.created + counts.updated + counts.removed > 0

/** Buttons that stop a running job, and roll back one that imported records. */
function JobActions({ job, source }: { job: ShownJob; source: Screen['source'] }) {
  return (
    <Form method="post" className="button-group">
      {isOpen(job) ? (
        <SubmitButton intent="stop" className="button" doing="Stopping…">
          Stop
        </SubmitButton>
      ) : null}
      {isFinishedRun(job) && hasRecords(job) && job.dataVersion !== null && !job.undoneBy ? (
        <ConfirmButton
          intent="rollback"
          className="button"
          question="Take this import back?"
          text={`The records of ${source.name} become what they were before it. This is a run of its own; it works as long as nothing else has changed them since.`}
          answer="Roll back"
        >
          Roll back
        </ConfirmButton>
      ) : null}
    </Form>
  )
}

interface NextStepProps {
  job: ShownJob
  /** The path of the importer. */
  at: string
}

/** Says when a source without records is deleted; null: it stays. */
const temporaryNote = (days: number | null) =>
  days === null
    ? null
    : ` If nothing is brought in within ${days} days, the empty source is deleted, with a data type made for it; it can be restored from the list of sources for 30 days.`

/** The next steps after a dry run. */
function AfterDryRun({ job, at }: NextStepProps) {
  const screen = useLoaderData<typeof loader>()
  return (
    <section className="card next-step" aria-label="What happens next">
      <div className="card-body row">
        <p className="grow">
          {screen.isHeld ? (
            <>
              <strong>Nothing has changed yet.</strong> Until <Moment date={job.heldUntil} /> this can be
              brought in as it was read.
            </>
          ) : (
            <>What was read is no longer held. Look again to bring it in.</>
          )}
          {temporaryNote(screen.temporaryDays)}
        </p>
        {screen.mayChange ? (
          <Link className="button" to={`${at}/modify`}>
            Change how it is read
          </Link>
        ) : null}
        {screen.mayRun ? (
          <Form method="post">
            {screen.isHeld ? (
              <SubmitButton intent="commit" doing="Starting…">
                Bring it in
              </SubmitButton>
            ) : (
              <SubmitButton intent="dryRun" doing="Starting…">
                Look again
              </SubmitButton>
            )}
          </Form>
        ) : null}
      </div>
    </section>
  )
}

/** The next steps after a failed or stopped run, which changed nothing. */
function AfterFailure({ job, at }: NextStepProps) {
  const { source, mayChange, mayRun, mayDiscard, temporaryDays, typeOffer, names } =
    useLoaderData<typeof loader>()
  return (
    <section className="card next-step" aria-label="What happens next">
      <div className="card-body row">
        <p className="grow">
          <strong>Nothing of it was brought in.</strong>{' '}
          {mayDiscard
            ? `${source.name} has no records. Read the file in another way, or take something else: then the empty source is deleted, and the data type made for it.`
            : 'The records are as they were before.'}
          {temporaryNote(temporaryDays)}
        </p>
        {Object.keys(typeOffer?.types ?? {}).map((field) => (
          <ChangeType key={field} {...{ field, typeOffer }} name={names[field] ?? field} />
        ))}
        {mayChange ? (
          <Link className="button is-primary" to={`${at}/modify`}>
            Change how it is read
          </Link>
        ) : null}
        <Form method="post" className="button-group">
          {mayRun ? (
            <SubmitButton intent="dryRun" className="button" doing="Starting…">
              {job.kind === 'dryRun' ? 'Look again' : 'Look at it first'}
            </SubmitButton>
          ) : null}
          {mayDiscard ? (
            <SubmitButton intent="discard" className="button" doing="Deleting…">
              Take something else
            </SubmitButton>
          ) : null}
        </Form>
      </div>
    </section>
  )
}

/** The next steps after an import. */
function AfterRun({ job, at }: NextStepProps) {
  const { source, mayChange } = useLoaderData<typeof loader>()
  return (
    <section className="card next-step" aria-label="What happens next">
      <div className="card-body row">
        <p className="grow">
          {job.undoneBy ? (
            <>
              This import was <Link to={`${at}/${job.undoneBy}`}>taken back</Link>.
            </>
          ) : hasRecords(job) ? (
            'The records are in.'
          ) : (
            'Nothing was new: the records are as they were.'
          )}
        </p>
        {mayChange ? (
          <Link className="button" to={`${at}/modify#schedule`}>
            Run it on a schedule
          </Link>
        ) : null}
        <Link className="button is-primary" to={`/sources/${source.id}`}>
          Open the source
        </Link>
      </div>
    </section>
  )
}

/** Rows that were not imported, paged. `path`: of the job in the API. */
function RefusedRows({ total, at, path }: { total: number; at: string; path: string }) {
  const { job, rejects, isLater, names } = useLoaderData<typeof loader>()
  return (
    <section className="stack" aria-labelledby="refused">
      <div className="row">
        <h2 id="refused" className="grow">
          {titleOfRejects(rejects.results)}
        </h2>
        <a className="button is-small" href={`${path}/rejects?format=csv`} download>
          Download CSV
        </a>
      </div>
      <RejectsTable rows={rejects.results} names={names} />
      <nav className="pager" aria-label="Pages of refused rows">
        <p>
          <Count n={rejects.results.length} /> of <Count n={total} />
        </p>
        <div className="button-group">
          {isLater ? (
            <Link className="button is-small" to={`${at}/${job.id}`} preventScrollReset>
              First
            </Link>
          ) : null}
          {rejects.meta.next ? (
            <Link className="button is-small" to={`?next=${rejects.meta.next}`} preventScrollReset>
              Next
            </Link>
          ) : null}
        </div>
      </nav>
    </section>
  )
}
