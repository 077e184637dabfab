import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useLoaderData, useSearchParams } from '@remix-run/react'
import { ActionError } from '#app/components/form/form-error.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { JobList } from './job-list.tsx'
import { describeOpenJob, isOpen, describeProgress } from '#app/components/importer/job-words.ts'
import { Moment } from '#app/components/list/time.tsx'
import { ProgressLine } from '#app/components/importer/progress-line.tsx'
import { describeSchedule } from '#app/components/form/schedule.ts'
import { useJob } from './use-job.ts'
import type { ShownJob } from '#app/components/importer/job-words.ts'
import { Facts } from '#app/components/list/facts.tsx'
import { Pager } from '#app/components/list/pager.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { importerScreen, runActs } from './importer.server.ts'
import { ReplaceFile } from './replace-file.tsx'
import { replaceFile } from './replace.server.ts'
import { handleForm } from '#app/server/load.server.ts'
import { parserName } from '#app/components/importer/parser-guess.ts'
import { v1 } from '#functions/v1/index.ts'

export const loader = importerScreen

export async function action(args: ActionFunctionArgs) {
  const { importer } = v1.source
  const intent = (await args.request.clone().formData()).get('intent')
  if (intent === 'replaceFile' || intent === 'upload') return replaceFile(args)
  const { begin, acts } = runActs(args)
  return handleForm(args, {
    ...acts,
    run: { endpoint: importer.run, ...begin },
    enable: { endpoint: importer.updateById, data: () => ({ enabled: true }) },
    disable: { endpoint: importer.updateById, data: () => ({ enabled: false }) },
  })
}

export const meta = placeTitle<{ importer: { name: string } }>(({ importer }) => importer.name)

const doneMessages = {
  stop: 'It stops as soon as it can.',
  enable: 'Switched on.',
  disable: 'Switched off: its schedule no longer runs.',
}

export default function Importer() {
  const { source, importer, addresses, lastJob, times, timeZone, isOfFile, mayChange, change } =
    useLoaderData<typeof loader>()
  const at = `/sources/${source.id}/importers/${importer.id}`
  const isRunning = lastJob !== null && isOpen(lastJob)
  return (
    <Screen
      isStack
      title={importer.name}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: source.name, to: `/sources/${source.id}` },
        { label: 'Importers', to: `/sources/${source.id}/importers` },
      ]}
      badges={
        importer.enabled ? (
          <span className="badge is-success">On</span>
        ) : (
          <span className="badge is-warning">Switched off</span>
        )
      }
      actions={<ImporterActions {...{ at, isRunning }} />}
      done={doneMessages}
    >
      <ActionError />
      <RunAsked isRunning={isRunning} />
      {lastJob && isRunning ? <Running job={lastJob} at={at} /> : null}
      {importer.failures > 0 ? (
        <p className="notice is-warning">
          {importer.failures === 1
            ? 'Its last scheduled run'
            : `Its last ${importer.failures} scheduled runs`}{' '}
          failed. After 20 in a row it is switched off.
        </p>
      ) : null}
      <ImporterFacts {...{ importer, times, timeZone }} />
      <section className="stack is-tight" aria-labelledby="reads">
        <h2 id="reads">Reads</h2>
        <ul className="notes">
          {addresses.map(({ url, parser }, i) => (
            <li key={i}>
              <span className="badge">{parserName(parser)}</span> <span className="anywhere">{url}</span>
            </li>
          ))}
        </ul>
        {isOfFile && mayChange ? (
          <ReplaceFile {...{ sourceId: source.id, at, change, version: importer.version, isRunning }} />
        ) : null}
      </section>
      <Runs at={at} />
    </Screen>
  )
}

function ImporterActions({ at, isRunning }: { at: string; isRunning: boolean }) {
  const { importer, mayRun, mayChange } = useLoaderData<typeof loader>()
  return (
    <Form method="post" className="button-group">
      {mayChange ? (
        <>
          <Link className="button" to={`${at}/modify`}>
            Edit
          </Link>
          <Link className="button" to={`/duplicate/importers/${importer.id}?source=${importer.sourceId}`}>
            Duplicate
          </Link>
          <SubmitButton intent={importer.enabled ? 'disable' : 'enable'} className="button">
            {importer.enabled ? 'Switch off' : 'Switch on'}
          </SubmitButton>
        </>
      ) : null}
      {mayRun && isRunning ? (
        <SubmitButton intent="stop" className="button" doing="Stopping…">
          Stop
        </SubmitButton>
      ) : null}
      {mayRun && !isRunning ? (
        <>
          <SubmitButton intent="dryRun" className="button" doing="Starting…">
            Dry run
          </SubmitButton>
          {importer.enabled ? (
            <SubmitButton intent="run" doing="Starting…">
              Run now
            </SubmitButton>
          ) : null}
        </>
      ) : null}
    </Form>
  )
}

/** The question of the command "Run this importer", above everything else. */
function RunAsked({ isRunning }: { isRunning: boolean }) {
  const { importer, mayRun } = useLoaderData<typeof loader>()
  const [searchParams] = useSearchParams()
  if (searchParams.get('do') !== 'run' || !mayRun || isRunning || !importer.enabled) return null
  return (
    <Form method="post" className="notice row" aria-label="Run it now">
      <p>Run it now? It reads its addresses again and changes the records of the source.</p>
      <SubmitButton intent="run" doing="Starting…">
        Run now
      </SubmitButton>
    </Form>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

function ImporterFacts({ importer, times, timeZone }: Pick<Screen, 'importer' | 'times' | 'timeZone'>) {
  return (
    <Facts
      facts={[
        ['Runs', importer.schedule === null ? 'by hand only' : describeSchedule(importer.schedule, timeZone)],
        [
          times.length > 1 ? 'Next times' : 'Next time',
          times.length
            ? times.map((time, i) => (
                <span key={time}>
                  {i ? ' · ' : ''}
                  <Moment date={time} />
                </span>
              ))
            : null,
        ],
        ['Records that are there', modes[importer.mode]],
        ['Tries again', `${importer.retries} times`],
      ]}
    />
  )
}

/** Its runs, paged. */
function Runs({ at }: { at: string }) {
  const { jobs, now, query, total } = useLoaderData<typeof loader>()
  return (
    <section className="stack" aria-labelledby="runs">
      <h2 id="runs">Runs</h2>
      {jobs.length ? (
        <>
          <JobList jobs={jobs} at={at} now={now} />
          <Pager query={query} visibleCount={jobs.length} total={total} noun="runs" />
        </>
      ) : (
        <EmptyState
          level={3}
          title="It has not run yet"
          text="A dry run reads everything and says what would happen, without changing a record."
        />
      )}
    </section>
  )
}

function Running({ job: loadedJob, at }: { job: ShownJob; at: string }) {
  const job = useJob(loadedJob, `/v1${at}/jobs/${loadedJob.id}`)
  return (
    <div className="stack is-tight">
      <ProgressLine label={`${describeOpenJob(job)}.`} text={describeProgress(job)} />
      <p>
        <Link to={`${at}/${job.id}`}>Watch this run</Link>
      </p>
    </div>
  )
}

const modes = {
  append: 'stay; rows are added',
  upsert: 'stay; those of the same id are replaced',
  replace: 'are replaced by what is read',
}
