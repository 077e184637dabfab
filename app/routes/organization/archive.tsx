import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { archiveScreen, actOnArchive } from './archive.server.ts'
import { ArchiveResult } from './archive-result.tsx'
import { useSentArchive } from './use-sent-archive.ts'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { ProgressLine } from '#app/components/importer/progress-line.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { maxFileBytes, maxFormFileBytes } from '#functions/shapes/file.ts'

export const loader = archiveScreen

export const action = actOnArchive

export const meta = placeTitle('From an archive')

/** Creates an organization from an archive: the file is previewed first, then everything is imported, or nothing. */
export default function FromArchive() {
  const { mayStart, userId } = useLoaderData<typeof loader>()
  const { sending, error, onSubmit } = useSentArchive(userId)
  const outcome = useActionData<typeof action>()
  const report = outcome?.ok ? outcome.result : undefined
  return (
    <Screen
      isNarrow
      title="From an archive"
      crumbs={[{ label: 'Your organization', to: '/organization/new' }]}
      sub="Make an organization of the archive of one, from here or another installation. You will be its administrator."
    >
      {mayStart ? (
        <ShortForm
          encType="multipart/form-data"
          onSubmit={onSubmit}
          names={['file', 'id', 'name']}
          save={{ intent: 'try', label: 'Look at the archive', doing: 'Reading…' }}
        >
          <TextField
            label="Archive"
            name="file"
            type="file"
            accept=".zip"
            required
            hint={`Up to ${formatBytes(maxFileBytes)}; without scripts up to ${formatBytes(maxFormFileBytes)}. It stays in your own media library until you delete it there.`}
          />
          <TextField
            label="Id"
            name="id"
            maxLength={63}
            pattern="[a-z0-9][a-z0-9\-]*"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint="Leave it empty for the id that the archive names. It cannot be changed later."
          />
          <p className="muted">Nothing is made yet: first you see what would be.</p>
          {sending ? <ProgressLine {...sending} value={sending.sentBytes} max={sending.total} /> : null}
          {error === null ? null : (
            <p className="notice is-danger" role="alert">
              {error}
            </p>
          )}
        </ShortForm>
      ) : (
        <p className="notice">
          You may make no organization here. <Link to="/organization/new">See why, and what you can do.</Link>
        </p>
      )}
      {report ? <ArchiveResult report={report} /> : null}
    </Screen>
  )
}
