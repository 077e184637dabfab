import { formatNumber } from '#app/components/list/number-format.ts'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData, useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { findImportReview } from './imported.server.ts'
import { archiveHours, archiveMinutes } from '#functions/shapes/archive.ts'
import { maxFileBytes } from '#functions/shapes/file.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { v1 } from '#functions/v1/index.ts'

/** The archives of the organization: requested here, created by the queue, available for a day. */
export async function loader(args: LoaderFunctionArgs) {
  const review = await findImportReview(args)
  const { archives } = await load(args, {
    archives: { endpoint: v1.place.archive.find, options: { limit: 20 } },
  })
  return { archives: archives.results, isImported: review !== null }
}

export async function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, (formValues) => ({
    make: { endpoint: v1.place.archive.create, data: () => ({}) },
    remove: {
      endpoint: v1.place.archive.deleteById,
      params: { archiveId: formValues.archiveId ?? '' },
      data: () => undefined,
    },
  }))
}

export const meta = placeTitle('Archive')

const done = { make: 'The archive is being made.', remove: 'Deleted.' }
/** Polling interval of a pending archive, in milliseconds. */
const lookMs = 2000

export default function Archive() {
  const { archives, isImported } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const isGoingOn = archives.some(({ status }) => status === 'queued' || status === 'running')
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isGoingOn) return
    const timer = setInterval(revalidate, lookMs)
    return () => clearInterval(timer)
  }, [isGoingOn, revalidate])
  return (
    <Screen
      title="Archive"
      crumbs={[{ label: 'Manage organization', to: '/org/manage' }]}
      sub="All that your organization has, in one file: to keep, or to move to another installation."
      done={done}
    >
      <OrgTabs />
      {isImported ? (
        <p>
          <Link to="/org/manage/imported">What came with the archive that this organization was made of</Link>
        </p>
      ) : null}
      <section className="stack" aria-labelledby="make">
        <h2 id="make">Make an archive</h2>
        <p>
          It holds data types, sources with their records, insights, collections, pages, the media library,
          settings, boundary sets, translations, importers and observers. It holds no people, keys, passwords,
          sessions or secrets of importers, and no older versions. What is private is in it, so keep it where
          only your organization reads.
        </p>
        {isGoingOn ? null : (
          <ShortForm names={[]} save={{ intent: 'make', label: 'Make an archive', doing: 'Asking for it…' }}>
            <p className="muted">
              You are asked to confirm that it is you. The link works for {archiveHours} hours, and only for
              administrators of this organization. An archive of more than {formatBytes(maxFileBytes)} can be
              kept and read, and not be imported; one that takes more than {archiveMinutes} minutes is not
              made.
            </p>
          </ShortForm>
        )}
      </section>
      <section className="stack" aria-labelledby="archives">
        <h2 id="archives">Archives</h2>
        {outcome && !outcome.ok && outcome.formValues.intent === 'remove' ? <ActionError /> : null}
        {archives.length === 0 ? <p className="muted">None was made yet.</p> : null}
        <ul className="rows">
          {archives.map((archive) => (
            <li key={archive.id} className="row">
              <ArchiveLine archive={archive} />
              <Form method="post">
                <input type="hidden" name="archiveId" value={archive.id} />
                <ConfirmButton
                  intent="remove"
                  question="Delete this archive?"
                  text="Its link ends at once. Your organization stays as it is."
                  answer="Delete"
                >
                  Delete
                </ConfirmButton>
              </Form>
            </li>
          ))}
        </ul>
      </section>
    </Screen>
  )
}

type Archive = ReturnType<typeof useLoaderData<typeof loader>>['archives'][number]

/** One archive with its status. */
function ArchiveLine({ archive }: { archive: Archive }) {
  const { status, createdAt, finishedAt, expiresAt, size, counts, url, files, error } = archive
  if (status === 'ready' && url && expiresAt)
    return (
      <p>
        <a href={url}>Download the archive</a> ({formatBytes(size ?? 0)}
        {counts ? `, ${formatNumber(counts.sources)} sources, ${formatNumber(counts.records)} records` : null}
        ), made <Moment date={createdAt} />, until <Moment date={expiresAt} />
        {(size ?? 0) > maxFileBytes
          ? `. It is larger than ${formatBytes(maxFileBytes)}: it can be kept and read, and not be imported.`
          : null}
      </p>
    )
  if (status === 'queued' || status === 'running')
    return (
      <p aria-live="polite">
        {status === 'queued' ? 'Waits to be made. ' : 'Is being made. '}
        {files === null ? null : (
          <>
            <progress
              className="progress"
              value={archive.done}
              max={files}
              aria-label="Files that are in it"
            />{' '}
            {archive.done} of {files} files
          </>
        )}
      </p>
    )
  if (status === 'failed')
    return (
      <p className="notice is-warning">
        <Moment date={finishedAt ?? createdAt} />: {error}
      </p>
    )
  return (
    <p className="muted">
      Made <Moment date={createdAt} />; its link has ended.
    </p>
  )
}
